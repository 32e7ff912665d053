import { LocalApi } from '@keelson/api-server/internal/server';
import { isRecord, type Json, type KubernetesObject, type StructuralSchema } from '@keelson/kubernetes/apimachinery';
import type { Finding } from './finding.js';
import type { RuleId } from './rules.js';
import { smallestValue, valuesBetween } from './sample-values.js';

/** Changes that refuse values which were valid. */
const NARROWING: ReadonlySet<RuleId> = new Set(['bound-narrowed', 'enum-narrowed', 'nullable-removed']);

interface VersionSchema {
  readonly name: string;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
}

/**
 * Finds out by trial whether an object with an old value can still be updated where the value stays: an object with the value is stored under the old definition, and
 * changed elsewhere under the new one, by the rules of the API server. Findings for which no object could be made stay as they are.
 */
export async function withRatcheting(
  findings: readonly Finding[],
  before: KubernetesObject,
  after: KubernetesObject,
): Promise<readonly Finding[]> {
  if (!findings.some(({ rule }) => NARROWING.has(rule))) return findings;
  const [old, now] = [new LocalApi(), new LocalApi()];
  try {
    const defined = [await old.define({ object: unconverted(before) }, 'Warn'), await now.define({ object: unconverted(after) }, 'Warn')];
    if (!defined.every(({ ok }) => ok)) return findings;
    const judged: Finding[] = [];
    for (const finding of findings) {
      const isRatcheted = NARROWING.has(finding.rule) ? await verdictOf(finding, { old, now, before, after }) : undefined;
      judged.push(isRatcheted === undefined ? finding : { ...finding, isRatcheted });
    }
    return judged;
  } finally {
    await Promise.all([old.close(), now.close()]);
  }
}

interface Trial {
  readonly old: LocalApi;
  readonly now: LocalApi;
  readonly before: KubernetesObject;
  readonly after: KubernetesObject;
}

/** @returns `undefined` when no object with such a value could be made */
async function verdictOf({ path }: Finding, { old, now, before, after }: Trial): Promise<boolean | undefined> {
  const [version = '', field = ''] = path.split(' ');
  const steps = field === '' ? [] : field.split('.');
  const [oldRoot, newRoot] = [schemaOf(before, version), schemaOf(after, version)];
  if (oldRoot === undefined || newRoot === undefined || steps.length === 0) return undefined;
  const [oldField, newField] = [fieldIn(oldRoot, steps), fieldIn(newRoot, steps)];
  if (oldField === undefined || newField === undefined) return undefined;
  for (const value of valuesBetween(oldField, newField)) {
    const object = objectWith(before, { version, root: oldRoot, steps, value });
    const isNarrowed = (await old.judge({ object })).ok && !(await now.judge({ object })).ok;
    if (!isNarrowed) continue;
    now.keep({ ...object, metadata: { ...object.metadata, uid: 'keelson-diff' } });
    const touched = { ...object, metadata: { ...object.metadata, labels: { touched: 'yes' } } };
    return (await now.judge({ object: touched })).ok;
  }
  return undefined;
}

/** No webhook answers here, and one version is enough. */
function unconverted(definition: KubernetesObject): KubernetesObject {
  const { status: _, ...rest } = definition as KubernetesObject & { readonly status?: unknown };
  const { spec, metadata } = rest as KubernetesObject & { readonly spec?: Readonly<Record<string, unknown>> };
  // Kinds of k8s.io groups need their annotation.
  const { name, annotations = {} } = metadata;
  return { ...rest, metadata: { name, annotations }, spec: { ...spec, conversion: { strategy: 'None' } } } as KubernetesObject;
}

function schemaOf(
  { spec }: KubernetesObject & { readonly spec?: { readonly versions?: readonly VersionSchema[] } },
  version: string,
): StructuralSchema | undefined {
  return spec?.versions?.find(({ name }) => name === version)?.schema?.openAPIV3Schema;
}

/** Fields of maps and of items of lists are not tried: the lists would have to be made. */
function fieldIn(schema: StructuralSchema, steps: readonly string[]): StructuralSchema | undefined {
  return steps.reduce<StructuralSchema | undefined>((at, step) => at?.properties?.[step], schema);
}

interface Sample {
  readonly version: string;
  readonly root: StructuralSchema;
  readonly steps: readonly string[];
  readonly value: Json;
}

function objectWith({ spec }: KubernetesObject & { readonly spec?: unknown }, { version, root, steps, value }: Sample): KubernetesObject {
  const { group, names, scope } = spec as { readonly group: string; readonly names: { readonly kind: string }; readonly scope: string };
  const fields = placed(root, smallestValue(root), steps, value) as Readonly<Record<string, Json>>;
  const namespace = scope === 'Namespaced' ? { namespace: 'default' } : {};
  return {
    ...fields,
    apiVersion: `${group}/${version}`,
    kind: names.kind,
    metadata: { name: 'sample', ...namespace },
  } as unknown as KubernetesObject;
}

/** The value at its place; what lies between is made as small as it can be. */
function placed(schema: StructuralSchema, into: Json, [step, ...others]: readonly string[], value: Json): Json {
  if (step === undefined) return value;
  const own = isRecord(into) ? (into as Readonly<Record<string, Json>>) : {};
  const property = schema.properties?.[step] ?? {};
  return { ...own, [step]: placed(property, own[step] ?? smallestValue(property), others, value) };
}
