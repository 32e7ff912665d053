import {
  type ApiDocuments,
  type DiscoveredResource,
  discoveredGroups,
  type GroupVersionKind,
  type OpenApiSchema,
  openApiSchemas,
} from './api-documents.js';

/** A named type of the API: the name that TypeScript sees, and the module that declares it. */
export interface ApiType {
  readonly fullName: string;
  readonly name: string;
  /** `core/v1`: folder and file under imports/kinds. */
  readonly module: string;
  readonly schema: OpenApiSchema;
  /** The type is an object of its own: it has apiVersion, kind and metadata. */
  readonly gvk?: GroupVersionKind | undefined;
  /** The entry of discovery, if the type is a resource. */
  readonly resource?: DiscoveredResource | undefined;
}

export interface ApiModel {
  readonly types: ReadonlyMap<string, ApiType>;
  /** Module names in order of group and version priority. */
  readonly modules: readonly string[];
  /** `v1` of several stable versions of one group: the one that the server prefers. */
  readonly preferredModules: ReadonlySet<string>;
  /** Kinds that stand inside other objects, by full name. */
  readonly embeddedKinds: ReadonlySet<string>;
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
/** Declared by hand in src/kubernetes/apimachinery: the whole library shares them. */
export const SHARED_TYPES: ReadonlySet<string> = new Set(
  ['ObjectMeta', 'OwnerReference', 'ManagedFieldsEntry', 'Condition'].map((name) => META + name),
);
/** Types of the protocol, not of objects that are stored or embedded. */
const PROTOCOL_TYPES = new Set(
  ['APIResource', 'APIResourceList', 'ListMeta', 'Patch', 'Status', 'StatusCause', 'StatusDetails', 'WatchEvent'].map(
    (name) => META + name,
  ),
);
const STABLE = /\/v\d+$/;

export function isStable(module: string): boolean {
  return STABLE.test(module);
}

/** `rbac/v1` for `rbac.authorization.k8s.io` and `v1`; the core group is `core`. */
function moduleName(group: string, version: string): string {
  return `${group === '' ? 'core' : (group.split('.')[0] ?? group)}/${version}`;
}

/** `rbac/v1` + `Subject`: `RbacV1Subject`. */
export function qualifiedName(module: string, name: string): string {
  const [group = '', version = ''] = module.split('/');
  return capital(group) + capital(version) + name;
}

export function apiModel(documents: ApiDocuments): ApiModel {
  const schemas = openApiSchemas(documents);
  const groups = discoveredGroups(documents);
  refuseAmbiguousModules(groups.map((group) => group.metadata.name ?? ''));
  const modules = groups.flatMap((group) => group.versions.map(({ version }) => moduleName(group.metadata.name ?? '', version)));
  const preferredModules = new Set(
    groups.flatMap((group) => {
      const stable = group.versions.map(({ version }) => moduleName(group.metadata.name ?? '', version)).filter(isStable);
      return stable.slice(0, 1);
    }),
  );
  const resources = new Map<string, DiscoveredResource>();
  for (const resource of groups.flatMap((group) => group.versions.flatMap((version) => version.resources))) {
    resources.set(gvkKey(resource.responseKind), resource);
  }
  const packages = packageModules(schemas);
  const types = new Map<string, ApiType>();
  for (const [fullName, schema] of schemas) {
    const type = apiType(fullName, schema, { packages, resources });
    if (type !== undefined) types.set(fullName, type);
  }
  return { types, modules: ['meta/v1', ...modules], preferredModules, embeddedKinds: embeddedKinds(types) };
}

function embeddedKinds(types: ReadonlyMap<string, ApiType>): Set<string> {
  const found = new Set<string>();
  for (const { schema } of types.values()) {
    for (const property of Object.values(schema.properties ?? {})) {
      const reference = referenceOf(property.items ?? property.additionalProperties ?? property);
      if (reference !== undefined && types.get(reference)?.resource !== undefined) found.add(reference);
    }
  }
  return found;
}

/** The type that a property, an item or a map value refers to. */
export function referenceOf(schema: OpenApiSchema): string | undefined {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if ((schema.allOf?.length ?? 0) > 1) throw new Error(`allOf with several members is new: ${JSON.stringify(schema)}`);
  return reference?.slice('#/components/schemas/'.length);
}

interface Lookup {
  readonly packages: ReadonlyMap<string, string>;
  readonly resources: ReadonlyMap<string, DiscoveredResource>;
}

function apiType(fullName: string, schema: OpenApiSchema, { packages, resources }: Lookup): ApiType | undefined {
  if (PROTOCOL_TYPES.has(fullName)) return undefined;
  const dot = fullName.lastIndexOf('.');
  const name = fullName.slice(dot + 1);
  const gvks = schema['x-kubernetes-group-version-kind'] ?? [];
  const gvk = gvks.length === 1 ? gvks[0] : undefined;
  if (gvk !== undefined && name.endsWith('List') && schema.properties?.['items'] !== undefined) return undefined;
  const module = packages.get(fullName.slice(0, dot)) ?? 'meta/v1';
  return { fullName, name, module, schema, gvk, resource: gvk === undefined ? undefined : resources.get(gvkKey(gvk)) };
}

/** Go packages and their group-versions, found by the kinds in them. */
function packageModules(schemas: ReadonlyMap<string, OpenApiSchema>): Map<string, string> {
  const modules = new Map<string, string>();
  for (const [fullName, schema] of schemas) {
    const [gvk, ...more] = schema['x-kubernetes-group-version-kind'] ?? [];
    if (gvk === undefined || more.length > 0) continue;
    const name = fullName.slice(0, fullName.lastIndexOf('.'));
    if (!name.includes('.pkg.apis.meta.')) modules.set(name, moduleName(gvk.group, gvk.version));
  }
  return modules;
}

function refuseAmbiguousModules(groups: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const group of groups) {
    const module = moduleName(group, '');
    const other = seen.get(module);
    if (other !== undefined)
      throw new Error(`the groups ${other} and ${group} would share imports/kinds/${module}: give one of them a longer name`);
    seen.set(module, group);
  }
}

function gvkKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
