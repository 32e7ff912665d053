import { type CustomResourceModel, type CustomResourceVersionModel, DefinitionError, defineCustomResource, k } from 'keelson';
import { z } from 'zod';
import { customResourceDefinitionManifest } from '../../../src/keelson/definition/index.js';

const spec = z.object({
  size: k.int32().default(1),
  ratio: z.number().optional(),
  on: z.boolean().optional(),
  node: z.string().optional(),
  'dash-ed': z.string().optional(),
  'dot.ted': z.string().optional(),
  when: k.timestamp().optional(),
  port: k.intOrString().optional(),
  names: z.array(z.string()).optional(),
  parts: k.listMap(z.object({ name: z.string(), size: k.int32().optional() }), 'name').optional(),
  labels: z.record(z.string(), z.string()).optional(),
  open: k.json().optional(),
});
const status = z.object({ replicas: k.int32().optional(), selector: z.string().optional(), conditions: k.conditions() });
const base = { group: 'variants.example.com', kind: 'Variant' } as const;
const schema = defineCustomResource({ ...base, versions: { v1: { spec, status } } }).versionList[0]?.schema ?? {};

/** What a variant changes in an otherwise sound definition. */
export interface Variant {
  /** Options of the custom resource. */
  readonly resource?: Readonly<Record<string, unknown>>;
  /** Options of its version v1. */
  readonly version?: Readonly<Record<string, unknown>>;
  /** All versions, in place of v1; each has the same schema. */
  readonly versions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Why we refuse what the API server takes. */
  readonly stricter?: string;
}

const versionsOf = ({ version = {}, versions = { v1: version } }: Variant): NonNullable<Variant['versions']> => versions;

/** Our problems with a variant; none when it is accepted. */
export function ourProblems(variant: Variant): readonly string[] {
  const versions = Object.fromEntries(Object.entries(versionsOf(variant)).map(([name, more]) => [name, { spec, status, ...more }]));
  try {
    defineCustomResource({ ...base, ...variant.resource, versions } as unknown as Parameters<typeof defineCustomResource>[0]);
    return [];
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return error.problems.map(({ path, message }) => `${path}: ${message}`);
  }
}

/** The CRD that a variant would become if we refused nothing. */
export function manifestOf(variant: Variant): unknown {
  const kind = String(variant.resource?.['kind'] ?? base.kind);
  const names = { singular: kind.toLowerCase(), plural: `${kind.toLowerCase()}s`, listKind: `${kind}List` };
  const lists = { shortNames: [], categories: [], labels: {}, annotations: {} };
  const entries = Object.entries(versionsOf(variant));
  const model: Record<string, unknown> = {
    ...base,
    ...names,
    ...lists,
    scope: 'Namespaced',
    ...variant.resource,
    versionList: entries.map(([name, more]) => versionOf(name, more, entries.length)),
  };
  return customResourceDefinitionManifest(model as unknown as CustomResourceModel);
}

function versionOf(
  name: string,
  { deprecated = false, ...more }: Readonly<Record<string, unknown>>,
  count: number,
): CustomResourceVersionModel {
  const version: Record<string, unknown> = {
    name,
    served: true,
    storage: count === 1,
    status: true,
    columns: [],
    selectableFields: [],
    deprecated: deprecated !== false,
    ...(typeof deprecated === 'string' ? { deprecationWarning: deprecated } : {}),
    schema,
    ...more,
  };
  if ((more['status'] === undefined && 'status' in more) || more['statusSubresource'] === false) version['status'] = false;
  return version as unknown as CustomResourceVersionModel;
}
