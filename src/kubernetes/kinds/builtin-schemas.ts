import { recursiveTypes, schemaTexts } from '../../../imports/schemas/builtin.js';
import type { BuiltinTypeName } from '../../../imports/schemas/builtin-types.js';
import type { Json, StructuralSchema } from '../apimachinery/index.js';
import { BuiltinSchemaError } from './errors.js';

/**
 * The structural schema of a built-in type, with everything that it refers to written out: what a CRD carries where it embeds the type.
 *
 * - Lists have their list type and keys; a key that may be missing has the default that the API server uses (`protocol: TCP`).
 * - `metadata` inside a template keeps name, namespace, labels, annotations and finalizers. The API server prunes the rest.
 * - Quantities and int-or-string values are `x-kubernetes-int-or-string`. A quantity written as a number must be an integer.
 * - Optional scalars keep the API's defaults. Objects have none: a CRD would write the empty objects into every resource.
 *
 * Each call returns a new tree that shares no node with another (YAML writers turn shared nodes into anchors).
 *
 * Source: the OpenAPI v3 documents of kube-apiserver, read by `scripts/generate-kinds.ts`.
 *
 * @example
 * ```ts
 * const schema = builtinSchema('ResourceRequirements');
 * console.log(Object.keys(schema.properties ?? {}));
 * ```
 *
 * @throws BuiltinSchemaError when no such type exists, or when it contains itself.
 */
export function builtinSchema(name: BuiltinTypeName): StructuralSchema {
  const texts = schemaTexts();
  if (!Object.hasOwn(texts, name)) throw new BuiltinSchemaError(refusal(name, Object.keys(texts)));
  return inlined(name, (reference) => JSON.parse(texts[reference] ?? '') as Fragment) as StructuralSchema;
}

/**
 * Names that {@link builtinSchema} knows, sorted.
 *
 * @example
 * ```ts
 * console.log(builtinTypeNames().includes('PodSpec'));
 * ```
 */
export function builtinTypeNames(): readonly BuiltinTypeName[] {
  return Object.keys(schemaTexts()) as BuiltinTypeName[];
}

interface Fragment {
  readonly $ref?: string;
  /** List-map keys that are neither required nor defaulted in the type itself: in this list they default to `''`. */
  readonly $keys?: readonly string[];
  readonly properties?: Readonly<Record<string, Fragment>>;
  readonly items?: Fragment;
  readonly additionalProperties?: Fragment;
  readonly default?: Json;
}

function inlined(name: string, read: (name: string) => Fragment): Fragment {
  const parsed = new Map<string, Fragment>();
  const resolve = (reference: string): Fragment => {
    const fragment = parsed.get(reference) ?? read(reference);
    parsed.set(reference, fragment);
    return expand(fragment);
  };
  const expand = ({ $ref, $keys = [], properties, items, additionalProperties, ...rest }: Fragment): Fragment => {
    const node: Fragment = {
      ...($ref === undefined ? {} : resolve($ref)),
      ...structuredClone(rest),
      ...(properties === undefined ? {} : { properties: mapValues(properties, expand) }),
      ...(items === undefined ? {} : { items: expand(items) }),
      ...(additionalProperties === undefined ? {} : { additionalProperties: expand(additionalProperties) }),
    };
    if ($keys.length === 0) return node;
    return {
      ...node,
      properties: mapValues(node.properties ?? {}, (value, key) => ($keys.includes(key) ? { ...value, default: '' } : value)),
    };
  };
  return resolve(name);
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T, key: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}

function refusal(name: string, known: readonly string[]): string {
  const recursive = recursiveTypes();
  const way = Object.hasOwn(recursive, name) ? recursive[name] : undefined;
  if (way !== undefined) {
    return `${name} contains itself (${way}), and a structural schema cannot be recursive: use k.json() or k.preserveUnknown() for this field`;
  }
  const lower = name.toLowerCase();
  const similar = known.filter(
    (candidate) => candidate.toLowerCase() === lower || candidate.endsWith(`V1${name}`) || candidate.endsWith(`V2${name}`),
  );
  const hint = similar.length > 0 ? `; did you mean ${similar.join(' or ')}?` : '; the names are those of the types in keelson/kinds';
  return `${JSON.stringify(name)} is not a built-in type of the stable Kubernetes API${hint}`;
}
