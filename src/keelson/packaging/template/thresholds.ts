import { equalJson, type Json } from '@keelson/kubernetes/apimachinery';
import { treeOf, type ValueLeaf } from '../values/index.js';
import { Abstraction } from './abstraction.js';
import { Probes } from './probes.js';
import type { Inference } from './synthesis.js';
import { type Filling, fill } from './template.js';

/** Numbers that are tried for a threshold. */
const SAMPLES = [0, 1, 2, 3, 5, 10, 100, 1_000];

/**
 * From which whole number on the constructs treat all alike: a second replica brings a disruption budget.
 *
 * The manifests for a number are compared with those for a probe, with the number put in its place; where they differ, the boundary is found by halving.
 */
export function thresholdsOf(inference: Inference): ReadonlyMap<ValueLeaf, number> {
  const found = new Map<ValueLeaf, number>();
  for (const leaf of inference.values.leaves.filter(({ type }) => type === 'integer')) {
    const threshold = thresholdOf(leaf, inference);
    if (threshold !== undefined) found.set(leaf, threshold);
  }
  return found;
}

function thresholdOf(leaf: ValueLeaf, inference: Inference): number | undefined {
  const probes = new Probes('first');
  const probe = Number(probes.value(leaf));
  const high = manifestsAt(probe, leaf, inference);
  if (high === undefined) return undefined;
  const abstraction = new Abstraction(probes, []);
  const templates = [...high].map(([path, object]) => [path, abstraction.of(object)] as const);
  const isAlike = (number: number): boolean => {
    const manifests = manifestsAt(number, leaf, inference);
    const filling: Filling = { value: () => number, fact: () => '' };
    return (
      manifests?.size === templates.length && templates.every(([path, template]) => equalJson(fill(template, filling), manifests.get(path)))
    );
  };
  const samples = [...new Set([...SAMPLES, Number(leaf.byDefault)])].filter((number) => number < probe && takes(number, leaf, inference));
  const unlike = Math.max(...samples.filter((number) => !isAlike(number)));
  return Number.isFinite(unlike) ? boundary(unlike, Math.min(probe, ...samples.filter((number) => number > unlike)), isAlike) : undefined;
}

/** The least number above `low` that is alike; `high` is. */
function boundary(low: number, high: number, isAlike: (number: number) => boolean): number {
  if (high - low <= 1) return high;
  const middle = Math.floor((low + high) / 2);
  return isAlike(middle) ? boundary(low, middle, isAlike) : boundary(middle, high, isAlike);
}

function manifestsAt(number: number, leaf: ValueLeaf, { values, facts, synthesize }: Inference): ReadonlyMap<string, Json> | undefined {
  const result = synthesize(
    treeAt(number, leaf, values.leaves),
    (name) => facts.find((fact) => fact.name === name)?.of(values.defaults) ?? '',
  );
  return 'refusal' in result ? undefined : result.objects;
}

function takes(number: number, leaf: ValueLeaf, { values }: Inference): boolean {
  return values.accepts(treeAt(number, leaf, values.leaves));
}

function treeAt(number: number, leaf: ValueLeaf, leaves: readonly ValueLeaf[]): ReturnType<typeof treeOf> {
  return treeOf(leaves.map((other) => [other.path, other === leaf ? number : other.byDefault] as const));
}
