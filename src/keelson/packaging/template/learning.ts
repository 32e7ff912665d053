import { equalJson, isJsonObject, type Json } from '@keelson/kubernetes/apimachinery';
import { PackageError } from '../errors.js';
import type { ValueLeaf } from '../values/index.js';
import { alignedItems, type KeyedItem } from './aligned-items.js';
import type { Observation } from './observation.js';
import { causesOf, type Pair, splitOf } from './split.js';
import { ABSENT, fill, type Parts, type Template, type Variable } from './template.js';
import { templateKey } from './template-key.js';

/** One observation at one place of the manifests. */
export interface Case {
  readonly observation: Observation;
  readonly template: Template;
}

interface Place {
  readonly variables: readonly Variable[];
  readonly pairs: readonly Pair[];
  /** Variables that were seen to matter around here. */
  readonly suspects: ReadonlySet<number>;
  /** For messages. */
  readonly path: readonly string[];
}

/**
 * The template that explains all cases: one of theirs where it does, else put together from its parts, else split by the state of a variable.
 *
 * @throws PackageError if the cases differ although no value changed its state: the constructs computed something
 */
export function learn(cases: readonly Case[], place: Place): Template {
  if (cases.every(({ template }) => template.type === 'absent')) return ABSENT;
  const present = cases.filter(({ template }) => template.type !== 'absent');
  // The content is learned from all cases that show it, its condition from all cases: each then has the most to learn from.
  if (present.length < cases.length) return wherePresent(cases, learn(present, place), place);
  return explanation(cases) ?? fromParts(cases, place) ?? choiceItself(cases, place.variables) ?? split(cases, place);
}

const PRESENT: Template = { type: 'literal', value: true };

function wherePresent(cases: readonly Case[], content: Template, place: Place): Template {
  const presence = cases.map((one) => ({ ...one, template: one.template.type === 'absent' ? one.template : PRESENT }));
  return withContent(split(presence, place), content);
}

function withContent(presence: Template, content: Template): Template {
  if (presence === PRESENT) return content;
  if (presence.type !== 'switch') return presence;
  return { ...presence, cases: presence.cases.map(({ states, template }) => ({ states, template: withContent(template, content) })) };
}

/** How many templates are tried for all cases before their parts are looked at. */
const MOST_CANDIDATES = 4;

function explanation(cases: readonly Case[]): Template | undefined {
  const byKey = new Map(cases.map(({ template }) => [templateKey(template), template]));
  const candidates = [...byKey.values()].sort((left, right) => places(right) - places(left)).slice(0, MOST_CANDIDATES);
  return candidates.find((candidate) => cases.every((one) => explains(candidate, one)));
}

function explains(candidate: Template, { template, observation: { filling } }: Case): boolean {
  if (candidate === template || templateKey(candidate) === templateKey(template)) return true;
  if (candidate.type === 'literal' && template.type === 'literal') return false;
  return equalJson(fill(candidate, filling), fill(template, filling));
}

function places(template: Template): number {
  switch (template.type) {
    case 'text':
      return template.parts.filter((part) => typeof part !== 'string').length;
    case 'value':
    case 'spread':
      return 1;
    case 'map':
      return template.spreads.length + [...template.entries.values()].reduce((sum, entry) => sum + places(entry), 0);
    case 'list':
    case 'range':
      return template.items.reduce((sum, item) => sum + places(item), template.type === 'range' ? 1 : 0);
    default:
      return 0;
  }
}

function fromParts(cases: readonly Case[], place: Place): Template | undefined {
  const maps = cases.map(({ template }) => mapOf(template));
  if (maps.every((map) => map !== undefined)) return fromFields(cases, maps, place);
  const lists = cases.map(({ template }) => itemsOf(template));
  if (lists.every((items) => items !== undefined)) return fromItems(cases, lists, place);
  return fromRanges(cases, place);
}

interface Fields {
  readonly entries: ReadonlyMap<string, Template>;
  readonly names: ReadonlyMap<string, Parts>;
  readonly spreads: readonly ValueLeaf[];
}

const NO_NAMES: ReadonlyMap<string, Parts> = new Map();

function mapOf(template: Template): Fields | undefined {
  if (template.type === 'map') return template;
  if (template.type === 'value') {
    const { reference } = template;
    return reference.from === 'value' && reference.leaf.type === 'map'
      ? { entries: new Map(), names: NO_NAMES, spreads: [reference.leaf] }
      : undefined;
  }
  if (template.type !== 'literal' || !isJsonObject(template.value) || Object.keys(template.value).length === 0) return undefined;
  return {
    entries: new Map(Object.entries(template.value).map(([key, value]) => [key, { type: 'literal', value }])),
    names: NO_NAMES,
    spreads: [],
  };
}

function fromFields(cases: readonly Case[], maps: readonly Fields[], place: Place): Template {
  const keys = [...new Set(maps.flatMap(({ entries }) => [...entries.keys()]))].sort();
  const entries = keys.map((key) => {
    const parts = maps.map((map, index) => ({ ...(cases[index] as Case), template: map.entries.get(key) ?? ABSENT }));
    return [key, learn(parts, { ...place, path: [...place.path, key] })] as const;
  });
  const names = new Map(maps.flatMap((map) => [...map.names]));
  return { type: 'map', entries: new Map(entries), names, spreads: [...new Set(maps.flatMap(({ spreads }) => spreads))] };
}

function itemsOf(template: Template): readonly Template[] | undefined {
  if (template.type === 'list') return template.items;
  if (template.type !== 'literal' || !Array.isArray(template.value) || template.value.length === 0) return undefined;
  return (template.value as readonly Json[]).map((value) => ({ type: 'literal', value }));
}

function fromItems(cases: readonly Case[], lists: readonly (readonly Template[])[], place: Place): Template | undefined {
  const aligned = alignedItems(lists.map((items) => items.map(keyedItem)));
  if (aligned === undefined) return undefined;
  const items = aligned.order.map((key) => {
    const parts = aligned.tables.map((table, index) => ({ ...(cases[index] as Case), template: table.get(key) ?? ABSENT }));
    return learn(parts, { ...place, path: [...place.path, key.replace(/^name:"([^"]*)".*$/, '$1')] });
  });
  return { type: 'list', items };
}

function keyedItem(item: Template): KeyedItem<Template> {
  const name = itemKey(item);
  return { item, name, content: `${name} ${templateKey(item)}` };
}

/** The same item in two lists: by its `name` where it has one, else by all that it says. */
function itemKey(item: Template): string {
  if (item.type === 'spread' || item.type === 'range') return `~${item.type} ${item.leaf.name}`;
  const name = mapOf(item)?.entries.get('name');
  if (name?.type === 'literal') return `name:${JSON.stringify(name.value)}`;
  return name?.type === 'text' ? `name:${templateKey(name)}` : templateKey(item);
}

function fromRanges(cases: readonly Case[], place: Place): Template | undefined {
  const [first] = cases;
  if (first?.template.type !== 'range') return undefined;
  const { leaf, isSorted } = first.template;
  const inner = cases.map(({ template }) => (template.type === 'range' && template.leaf === leaf ? template.items[0] : undefined));
  if (inner.some((item) => item === undefined)) return undefined;
  const parts = cases.map((one, index) => ({ ...one, template: inner[index] as Template }));
  return { type: 'range', leaf, isSorted, items: [learn(parts, place)] };
}

/** A choice that is written as it is, for example a log level. */
function choiceItself(cases: readonly Case[], variables: readonly Variable[]): Template | undefined {
  for (const { leaf } of variables.filter(({ leaf: { type } }) => type === 'choice')) {
    const value: Template = { type: 'value', reference: { from: 'value', leaf } };
    const text: Template = { type: 'text', parts: [{ from: 'value', leaf }] };
    const found = [value, text].find((candidate) => cases.every((one) => explains(candidate, one)));
    if (found !== undefined) return found;
  }
  return undefined;
}

function split(cases: readonly Case[], place: Place): Template {
  const classes = classesOf(cases);
  const classified = cases.map(({ observation }, index) => ({ observation, kind: classes[index] ?? 0 }));
  const causes = causesOf(classified, place.pairs);
  const suspects = new Set([...place.suspects, ...causes]);
  const variable = splitOf(classified, causes, suspects);
  if (variable === undefined) throw computed(cases, place);
  const groups = new Map<number, Case[]>();
  for (const one of cases) {
    const state = one.observation.states[variable] ?? 0;
    groups.set(state, [...(groups.get(state) ?? []), one]);
  }
  const learned = [...groups]
    .sort(([left], [right]) => left - right)
    .map(([state, group]) => ({ state, size: group.length, template: learn(group, { ...place, suspects }) }));
  return switched(place.variables[variable] as Variable, learned);
}

interface Branch {
  readonly state: number;
  readonly size: number;
  readonly template: Template;
}

/** A state that was not seen here goes with the branch that was seen most; verification looks at it. */
function switched(variable: Variable, branches: readonly Branch[]): Template {
  const merged = new Map<string, { readonly states: number[]; size: number; readonly template: Template }>();
  for (const { state, size, template } of branches) {
    const key = templateKey(template);
    const same = merged.get(key);
    if (same === undefined) merged.set(key, { states: [state], size, template });
    else {
      same.states.push(state);
      same.size += size;
    }
  }
  const cases = [...merged.values()];
  const [only] = cases;
  if (cases.length === 1 && only !== undefined) return only.template;
  const largest = [...cases].sort((left, right) => right.size - left.size)[0];
  for (const [state] of variable.states.entries()) if (!branches.some((branch) => branch.state === state)) largest?.states.push(state);
  return { type: 'switch', variable, cases: cases.map(({ states, template }) => ({ states, template })) };
}

/** Equal numbers for cases that one template may explain. */
function classesOf(cases: readonly Case[]): readonly number[] {
  const shapes = cases.map(({ template }) => (template.type === 'absent' ? 'absent' : (shapeOf(template) ?? 'scalar')));
  if (new Set(shapes).size > 1) {
    const known = [...new Set(shapes)];
    return shapes.map((shape) => known.indexOf(shape));
  }
  const candidates: Template[] = [];
  const order = [...cases.keys()].sort((left, right) => places((cases[right] as Case).template) - places((cases[left] as Case).template));
  const classes: number[] = [];
  for (const index of order) {
    const one = cases[index] as Case;
    const found = candidates.findIndex((candidate) => explains(candidate, one));
    classes[index] = found === -1 ? candidates.push(one.template) - 1 : found;
  }
  return classes;
}

function shapeOf(template: Template): string | undefined {
  if (template.type === 'range') return 'range';
  if (mapOf(template) !== undefined) return 'map';
  return itemsOf(template) === undefined ? undefined : 'list';
}

function computed(cases: readonly Case[], { path }: Place): PackageError {
  const shown = [...new Set(cases.map(({ template, observation }) => JSON.stringify(fill(template, observation.filling))))].slice(0, 2);
  return new PackageError(
    `${path.join('.')}: is computed from the values, which a template cannot repeat: it is ${shown.join(' here and ')} there; write a value as it is, or let a boolean or an enum choose`,
  );
}
