import { equalJson, type Json } from '@keelson/kubernetes/apimachinery';
import { PackageError } from '../errors.js';
import { treeOf, type ValueLeaf, type ValueTree } from '../values/index.js';
import { Abstraction, itemWithin, withoutItem } from './abstraction.js';
import { type Assignment, type Draws, drawsOf, neighbourhood } from './assignments.js';
import { differenceText, firstDifference, identityOf, shown } from './difference.js';
import { learn } from './learning.js';
import type { Observation } from './observation.js';
import { Probes, showsProbe } from './probes.js';
import { type RefusalRule, Refusals } from './refusals.js';
import { pairsOf } from './split.js';
import type { Inference } from './synthesis.js';
import { ABSENT, type Filling, fill, type Template } from './template.js';
import { placeText } from './template-key.js';
import { thresholdsOf } from './thresholds.js';
import { isEmpty, type ProbedVariable, variableOf } from './variables.js';

/** Manifests as a function of the values. */
export interface InferredTemplates {
  /** By path of the construct; a `range` writes an object for each item of a list. */
  readonly objects: ReadonlyMap<string, Template>;
  /** Values that the constructs refuse. */
  readonly refusals: readonly RefusalRule[];
  readonly variables: readonly ProbedVariable[];
}

interface Seen extends Observation {
  readonly assignment: Assignment;
  readonly refusal: Template;
  /** `undefined` if the values were refused. */
  readonly objects: ReadonlyMap<string, Template> | undefined;
}

/** Rounds without a difference before the templates count as right. */
const CHECKS = 150;
/** Differences from which something is learned before the values count as too entangled. */
const MOST_LESSONS = 30;
/** Combinations, drawn, that are looked at from all sides before anything is learned. */
const FIRST_LOOKS = 4;
/** Differences that are found before the next lesson. */
const MOST_UNEXPLAINED = 3;

/**
 * Learns how manifests depend on values, from synthesizing them many times.
 *
 * Flow: 1. each value is tried in each of its states, and every two states together, with probes in the place of texts and numbers. 2. The templates
 * that explain all results are learned. 3. They are compared with fresh results under other probes and other combinations; a combination that they do not
 * explain is learned from, and a difference between two probes is refused.
 * Guarantees: with the default values, the templates are what the constructs write. The same input gives the same templates.
 * Assumptions: `synthesize` is a function of its arguments.
 *
 * @throws PackageError if the defaults are refused, or a value is used in a way that a template cannot repeat
 */
export function inferTemplates(inference: Inference): InferredTemplates {
  return new Learner(inference).result();
}

class Learner {
  readonly #inference: Inference;
  readonly #variables: readonly ProbedVariable[];
  readonly #seen = new Map<string, Seen>();
  readonly #first = new Probes('first');
  readonly #second = new Probes('second');
  readonly #firstValues = new Map<ValueLeaf, readonly Json[]>();
  readonly #secondValues = new Map<ValueLeaf, readonly Json[]>();
  readonly #abstraction: Abstraction;
  readonly #facts: { readonly first: ReadonlyMap<string, string>; readonly second: ReadonlyMap<string, string> };

  constructor(inference: Inference) {
    this.#inference = inference;
    const { values, facts } = inference;
    this.#checkDefaults();
    const thresholds = thresholdsOf(inference);
    this.#variables = values.leaves.map((leaf) => variableOf(leaf, this.#mayBeEmpty(leaf), thresholds.get(leaf)));
    for (const { leaf, states } of this.#variables) {
      this.#firstValues.set(
        leaf,
        states.map(({ probe }) => probe(this.#first)),
      );
      this.#secondValues.set(
        leaf,
        states.map(({ probe }) => probe(this.#second)),
      );
    }
    this.#facts = {
      first: new Map(facts.map(({ name }) => [name, this.#first.fact(name)])),
      second: new Map(facts.map(({ name }) => [name, this.#second.fact(name)])),
    };
    this.#abstraction = new Abstraction(
      this.#first,
      [...this.#firstValues].flatMap(([leaf, options]) =>
        options.filter((value) => !isEmpty(value)).map((value) => [leaf, value] as const),
      ),
    );
  }

  result(): InferredTemplates {
    const base = this.#variables.map(({ leaf, states }) =>
      Math.max(
        0,
        states.findIndex(({ holds }) => holds(leaf.byDefault)),
      ),
    );
    const counts = this.#variables.map(({ states }) => states.length);
    const refusals = new Refusals(counts, base, (assignment) => this.#observe(assignment).refusal);
    const look = (assignments: readonly Assignment[]): void => {
      for (const assignment of assignments) {
        const { refusal, objects } = this.#observe(assignment);
        if (objects === undefined) refusals.learn(assignment, refusal);
      }
    };
    const draw = drawsOf(0);
    look(neighbourhood(base, counts));
    for (let first = 0; first < FIRST_LOOKS; first += 1)
      look(
        neighbourhood(
          this.#taken(() => counts.map(draw)),
          counts,
        ),
      );
    look(this.#neededTogether(counts).flatMap((found) => neighbourhood(found, counts)));
    this.#refuseUseless();
    for (let lesson = 1; lesson <= MOST_LESSONS; lesson += 1) {
      const learned = { objects: this.#learn(), refusals: refusals.rules, variables: this.#variables };
      const unexplained = this.#check(learned, { draw: drawsOf(lesson), base, counts, refusals });
      if (unexplained.length === 0) return this.#complete(learned);
      look(unexplained.flatMap((assignment) => neighbourhood(assignment, counts)));
    }
    throw new PackageError('the manifests depend on too many values at once to be written as templates; let fewer values decide together');
  }

  #checkDefaults(): void {
    const { values, facts, synthesize } = this.#inference;
    const result = synthesize(values.defaults, (name) => facts.find((fact) => fact.name === name)?.of(values.defaults) ?? '');
    if ('refusal' in result) throw new PackageError(`the default values are refused: ${result.refusal}`);
  }

  #mayBeEmpty(leaf: ValueLeaf): boolean {
    const empty: Json = leaf.type === 'text' ? '' : leaf.type === 'list' ? [] : {};
    return this.#inference.values.accepts(this.#tree((other) => (other === leaf ? empty : other.byDefault)));
  }

  #tree(value: (leaf: ValueLeaf) => Json): ValueTree {
    return treeOf(this.#inference.values.leaves.map((leaf) => [leaf.path, value(leaf)] as const));
  }

  /** Synthesizes with the first probes, once for each assignment. */
  #observe(assignment: Assignment): Seen {
    const known = this.#seen.get(assignment.join());
    if (known !== undefined) return known;
    const filling = this.#sample(assignment, 'first', () => 0);
    const result = this.#inference.synthesize(this.#tree(filling.value), filling.fact);
    const observation = { assignment, states: assignment, filling };
    const seen: Seen =
      'refusal' in result
        ? { ...observation, refusal: this.#abstraction.of(result.refusal), objects: undefined }
        : { ...observation, refusal: ABSENT, objects: this.#abstracted(result.objects) };
    this.#seen.set(assignment.join(), seen);
    return seen;
  }

  /** Objects that are made of the items of a list become one, which repeats. */
  #abstracted(objects: ReadonlyMap<string, Json>): ReadonlyMap<string, Template> {
    const result = new Map<string, Template>();
    for (const [path, object] of objects) {
      const place = this.#abstraction.of(path);
      const item = itemWithin(place);
      const general = pathText(place);
      const key = item === undefined && result.has(general) ? placeText(place.type === 'text' ? place.parts : []) : general;
      const template = this.#abstraction.of(object);
      if (item === undefined) result.set(key, template);
      else if (!result.has(key)) {
        result.set(key, { type: 'range', leaf: item.leaf, isSorted: item.index > 0, items: [withoutItem(template)] });
      }
    }
    return result;
  }

  /** A drawn assignment that is not refused, so that there is something to see around it. */
  #taken(drawn: () => Assignment): Assignment {
    for (let attempt = 0; attempt < CHECKS; attempt += 1) {
      const assignment = drawn();
      if (this.#observe(assignment).objects !== undefined) return assignment;
    }
    return drawn();
  }

  /** A state may need others beside it: certificates from a Secret need its name. Drawn until one is taken. */
  #neededTogether(counts: readonly number[]): Assignment[] {
    const draw = drawsOf(1);
    return this.#refusedStates().flatMap(({ index, state }) => {
      for (let drawn = 0; drawn < CHECKS; drawn += 1) {
        const found = this.#observe(counts.map((count, other) => (other === index ? state : draw(count))));
        if (found.objects !== undefined) return [found.assignment];
      }
      return [];
    });
  }

  #refusedStates(): readonly { readonly index: number; readonly state: number }[] {
    const seen = [...this.#seen.values()];
    return this.#variables.flatMap(({ states }, index) =>
      [...states.keys()].flatMap((state) =>
        seen.some(({ assignment, objects }) => assignment[index] === state && objects !== undefined) ? [] : [{ index, state }],
      ),
    );
  }

  /** A choice that is refused with all others, and a value that is refused by itself, are mistakes of the package. */
  #refuseUseless(): void {
    const [refused] = this.#refusedStates();
    if (refused === undefined) return;
    const { index, state } = refused;
    const { leaf } = this.#variables[index] as ProbedVariable;
    const example = [...this.#seen.values()].find(({ assignment }) => assignment[index] === state);
    const message = example === undefined ? '' : String(fill(example.refusal, example.filling));
    const value = JSON.stringify(this.#firstValues.get(leaf)?.[state]);
    const mend = leaf.type === 'choice' ? 'leave it out of the values' : "give two examples that it takes: .meta({ examples: ['…', '…'] })";
    throw new PackageError(`values.${leaf.name}: ${value} is refused whatever the other values are: ${message}; ${mend}`);
  }

  #learn(): ReadonlyMap<string, Template> {
    const taken = [...this.#seen.values()].filter(({ objects }) => objects !== undefined);
    const counts = this.#variables.map(({ states }) => states.length);
    const place = { variables: this.#variables, pairs: pairsOf(taken, counts), suspects: new Set<number>(), path: [] };
    const paths = [...new Set(taken.flatMap(({ objects }) => [...(objects?.keys() ?? [])]))];
    const learned = paths.map((path) => {
      const cases = taken.map((observation) => ({ observation, template: observation.objects?.get(path) ?? ABSENT }));
      return [path, learn(cases, { ...place, path: [path] })] as const;
    });
    return new Map(learned);
  }

  /** @returns assignments to learn from; none if all agree */
  #check(
    learned: InferredTemplates,
    {
      draw,
      base,
      counts,
      refusals,
    }: { readonly draw: Draws; readonly base: Assignment; readonly counts: readonly number[]; readonly refusals: Refusals },
  ): Assignment[] {
    const random = Array.from({ length: CHECKS }, () => counts.map(draw));
    const unexplained: Assignment[] = [];
    for (const assignment of [...neighbourhood(base, counts), ...random]) {
      for (const kind of ['second', 'examples'] as const) {
        const difference = this.#difference(learned, this.#sample(assignment, kind, draw), refusals.explains(assignment) !== undefined);
        if (difference === undefined) continue;
        // With the probes that were learned from, does the same combination agree? Then a value is used otherwise than as it is.
        const isExplained =
          this.#difference(learned, this.#sample(assignment, 'first', draw), refusals.explains(assignment) !== undefined) === undefined;
        if (isExplained) throw new PackageError(difference);
        unexplained.push(assignment);
        break;
      }
      if (unexplained.length === MOST_UNEXPLAINED) break;
    }
    return unexplained;
  }

  #sample(assignment: Assignment, kind: 'first' | 'second' | 'examples', draw: Draws): Filling {
    const table = new Map(
      this.#variables.map(({ leaf, states }, index): [ValueLeaf, Json] => {
        const state = assignment[index] ?? 0;
        const examples = states[state]?.examples ?? [];
        if (kind === 'examples' && examples.length > 0) return [leaf, examples[draw(examples.length)] ?? null];
        return [leaf, (kind === 'first' ? this.#firstValues : this.#secondValues).get(leaf)?.[state] ?? null];
      }),
    );
    return fillingOf(table, kind === 'first' ? this.#facts.first : this.#facts.second);
  }

  #difference({ objects }: InferredTemplates, filling: Filling, isRefused: boolean): string | undefined {
    const tree = this.#tree(filling.value);
    const result = this.#inference.synthesize(tree, filling.fact);
    if ('refusal' in result) {
      return isRefused
        ? undefined
        : `the values ${shown(tree)} are refused: ${result.refusal}; a template cannot repeat why, let a boolean or an enum decide`;
    }
    if (isRefused)
      return `the values ${shown(tree)} are taken, and others like them are refused; a template cannot repeat why, let a boolean or an enum decide`;
    const written = [...objects]
      .flatMap(([, template]) => fill({ type: 'list', items: [template] }, filling) as Json[])
      .map((object) => [identityOf(object), object] as const);
    const table = new Map(written);
    for (const [path, object] of result.objects) {
      const found = table.get(identityOf(object));
      if (found === undefined || !equalJson(found, object))
        return differenceText(path, { found, object, near: this.#near(found, object, filling) });
      table.delete(identityOf(object));
    }
    const [left] = table.keys();
    return left === undefined ? undefined : `${left}: is written for some values and not for others, and no single value decides it`;
  }

  /** Values that the differing place shows. */
  #near(found: Json | undefined, object: Json, filling: Filling): readonly string[] {
    const text = JSON.stringify((found === undefined ? object : firstDifference(found, object).object) ?? null);
    const isShown = (leaf: ValueLeaf): boolean => text.includes(String(filling.value(leaf)).slice(0, 40) || '\u0000');
    return this.#variables.filter(({ leaf }) => leaf.type !== 'choice' && isShown(leaf)).map(({ leaf }) => leaf.name);
  }

  /** A probe that was written in a form in which it was not recognized would stay in the chart. */
  #complete(learned: InferredTemplates): InferredTemplates {
    for (const [path, template] of learned.objects) {
      if (showsProbe(template))
        throw new PackageError(`${path}: a value is written in a form of its own (encoded, or as JSON), which a template cannot repeat`);
    }
    return learned;
  }
}

function fillingOf(values: ReadonlyMap<ValueLeaf, Json>, facts: ReadonlyMap<string, string>): Filling {
  return { value: (leaf) => values.get(leaf) ?? null, fact: (name) => facts.get(name) ?? '' };
}

/** The path of a construct: `*` for what names of the installation put into it, `each` for an item of a list. */
function pathText(path: Template): string {
  if (path.type !== 'text') return String(path.type === 'literal' ? path.value : '');
  return path.parts.map((part) => (typeof part === 'string' ? part : part.from === 'item' ? 'each' : '*')).join('');
}
