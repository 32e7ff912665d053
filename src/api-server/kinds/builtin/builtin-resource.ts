import { apiVersionOf, goQuote, type Json, nameInGroup } from '@keelson/kubernetes/apimachinery';
import type {
  Draft,
  FieldLabels,
  JsonObject,
  Resource,
  ScalePaths,
  ServedVersion,
  StatusStrategy,
  Strategy,
  Subresource,
  TableConvertor,
  Verb,
} from '../../contract/index.js';
import type { BuiltinDefinitions } from '../../documents/index.js';
import { notImplemented } from '../../status/index.js';
import { type builtinTypes, type Endpoint, fieldPath, type GoTypes, PatchType, type TypeRef } from '../../values/index.js';
import type { Behaviour } from './behaviour.js';
import { builtinStatusStrategy, builtinStrategy, builtinVariant, type KindAtVersion } from './builtin-strategy.js';
import type { KindRow, SubresourceRow, VersionRow } from './served-kinds.js';
import type { VersionConversion } from './version-conversion.js';

/**
 * Handlers of requests beside reads and writes of stored objects, by name: `pods/eviction`, `serviceaccounts/token`,
 * `tokenreviews.authentication.k8s.io`. A resource without a handler answers 501.
 */
export type BuiltinHandlers = Readonly<Record<string, NonNullable<Subresource['handle']>>>;

/** The parts that all built-in resources share. */
export interface Ingredients {
  readonly types: GoTypes;
  readonly definitions: BuiltinDefinitions;
  readonly typeOf: ReturnType<typeof builtinTypes>;
  readonly handlers: BuiltinHandlers;
  behaviourOf(row: KindRow): Behaviour<object>;
  conversionOf(row: KindRow): VersionConversion | undefined;
  tableOf(row: KindRow): TableConvertor;
}

/** A resource whose parts are made when they are first asked for: a server that starts must not wait for kinds that are not used. */
export function builtinResource(row: KindRow, ingredients: Ingredients): Resource {
  const { group, plural, singular, kind, scope, shortNames, categories, versions } = row;
  const conversion = ingredients.conversionOf(row);
  const storedAs = conversion?.storedAs;
  const storageVersion = versions[0].version;
  const convertAll = (objects: readonly JsonObject[], apiVersion: string): readonly JsonObject[] =>
    objects.map((object) => {
      if (object['apiVersion'] === apiVersion) return object;
      if (conversion === undefined) throw notImplemented(`${nameInGroup(plural, group)} at another version than ${storageVersion}`);
      return conversion.convert(object, apiVersion);
    });
  return {
    group,
    plural,
    singular,
    kind,
    listKind: `${kind}List`,
    scope,
    shortNames,
    categories,
    storageKey: storedAs === undefined ? nameInGroup(plural, group) : nameInGroup(plural, storedAs.group),
    isCustom: false,
    versions: versions.map((version) => new BuiltinVersion(row, version, ingredients)),
    storageVersion,
    convert: (objects, version) => convertAll(objects, apiVersionOf({ group, version })),
    ...(storedAs && { toStored: (objects: readonly JsonObject[]) => convertAll(objects, apiVersionOf(storedAs)) }),
  };
}

class BuiltinVersion implements ServedVersion {
  readonly version: string;
  readonly verbs: readonly Verb[];
  readonly subresources: readonly Subresource[];
  readonly deprecationWarning?: string;
  readonly handle?: NonNullable<Subresource['handle']>;
  readonly #row: KindRow;
  readonly #ingredients: Ingredients;
  readonly #hasStatus: boolean;
  readonly #hasScale: boolean;
  readonly #endpoints = new Map<string, Endpoint>();
  #at: KindAtVersion | undefined;
  #strategy: Strategy | undefined;
  #status: StatusStrategy | undefined;
  #variants: Readonly<Record<string, StatusStrategy>> | undefined;
  #patchType: PatchType | undefined;
  #table: TableConvertor | undefined;

  constructor(row: KindRow, { version, verbs, subresources }: VersionRow, ingredients: Ingredients) {
    this.#row = row;
    this.#ingredients = ingredients;
    this.version = version;
    this.verbs = verbs;
    this.#hasStatus = subresources.some(({ name }) => name === 'status');
    this.#hasScale = subresources.some(({ name }) => name === 'scale');
    this.subresources = subresources.map((subresource) => this.#subresource(subresource));
    const deprecation = DEPRECATED[`${apiVersionOf({ group: row.group, version })} ${row.kind}`];
    if (deprecation !== undefined) this.deprecationWarning = deprecation;
    if (isVirtual(row)) this.handle = this.#handler('');
  }

  get strategy(): Strategy {
    this.#strategy ??= builtinStrategy(this.#kind);
    return this.#strategy;
  }

  get status(): StatusStrategy | undefined {
    if (!this.#hasStatus) return undefined;
    this.#status ??= builtinStatusStrategy(this.#kind);
    return this.#status;
  }

  get variants(): Readonly<Record<string, StatusStrategy>> {
    this.#variants ??= Object.fromEntries(
      Object.entries(this.#ingredients.behaviourOf(this.#row).variants ?? {}).map(([name, variant]) => [
        name,
        builtinVariant(this.#kind, variant),
      ]),
    );
    return this.#variants;
  }

  get scale(): ScalePaths | undefined {
    return this.#hasScale ? this.#ingredients.behaviourOf(this.#row).scale : undefined;
  }

  get patchType(): PatchType {
    this.#patchType ??= PatchType.of(this.#definitionName(this.version), this.#ingredients.definitions);
    return this.#patchType;
  }

  get table(): TableConvertor {
    this.#table ??= this.#ingredients.behaviourOf(this.#row).table ?? this.#ingredients.tableOf(this.#row);
    return this.#table;
  }

  get fieldLabels(): FieldLabels {
    return this.#ingredients.behaviourOf(this.#row).fieldLabels ?? NO_FIELD_LABELS;
  }

  endpoint(subresource: string): Endpoint {
    const known = this.#endpoints.get(subresource);
    if (known !== undefined) return known;
    const endpoint = this.#newEndpoint(subresource);
    this.#endpoints.set(subresource, endpoint);
    return endpoint;
  }

  get #kind(): KindAtVersion {
    this.#at ??= this.#newKind();
    return this.#at;
  }

  #newKind(): KindAtVersion {
    const { group, kind, plural } = this.#row;
    const { types } = this.#ingredients;
    const struct = types.typeOf({ group, version: this.version, kind });
    if (struct === undefined)
      throw new RangeError(`there is no Go type of ${kind} in ${apiVersionOf({ group, version: this.version })}: generate the table again`);
    const conversion = this.#conversion();
    return {
      kind,
      version: this.version,
      apiVersion: apiVersionOf({ group, version: this.version }),
      types,
      struct,
      behaviour: this.#ingredients.behaviourOf(this.#row),
      hasStatus: this.#hasStatus,
      returnsDeleted: RETURNS_DELETED.has(nameInGroup(plural, group)),
      ...(conversion && { conversion }),
    };
  }

  #conversion(): KindAtVersion['conversion'] {
    const { group, plural, versions } = this.#row;
    const conversion = this.#ingredients.conversionOf(this.#row);
    const stored = conversion?.storedAs ?? { group, version: versions[0].version };
    if (stored.group === group && stored.version === this.version) return undefined;
    if (conversion === undefined) throw notImplemented(`${nameInGroup(plural, group)} at version ${this.version}`);
    return {
      storedApiVersion: apiVersionOf(stored),
      convert: (object, apiVersion) => conversion.convert(object, apiVersion),
      setDefaults: (draft: Draft) => conversion.setDefaults?.[this.version]?.(draft),
    };
  }

  #definitionName(version: string): string {
    const { group, kind } = this.#row;
    const name = this.#ingredients.definitions.nameOf({ group, version, kind });
    if (name === undefined)
      throw new RangeError(`there is no OpenAPI definition of ${kind} in ${apiVersionOf({ group, version })}: generate them again`);
    return name;
  }

  #newEndpoint(subresource: string): Endpoint {
    const { group, kind, versions } = this.#row;
    const { typeOf } = this.#ingredients;
    const apiVersions = versions.map(({ version }) => apiVersionOf({ group, version }));
    const types = new Map(
      versions.map(({ version }): [string, TypeRef] => [apiVersionOf({ group, version }), typeOf(this.#definitionName(version))]),
    );
    const paths = this.#resetFields(subresource).map((path) => fieldPath(...path.split('.')));
    return {
      apiVersion: apiVersionOf({ group, version: this.version }),
      kind,
      ...(subresource === '' ? {} : { subresource }),
      typeAt: (apiVersion) => types.get(apiVersion),
      convert: (object, apiVersion) => {
        const conversion = this.#ingredients.conversionOf(this.#row);
        if (conversion === undefined) throw notImplemented(`${kind} at version ${apiVersion}`);
        return conversion.convert(object as JsonObject, apiVersion) as Record<string, Json>;
      },
      ...(paths.length === 0 ? {} : { resetFields: Object.fromEntries(apiVersions.map((apiVersion) => [apiVersion, paths])) }),
    };
  }

  #resetFields(subresource: string): readonly string[] {
    const chosen = this.#ingredients.behaviourOf(this.#row).resetFields?.[subresource];
    if (chosen !== undefined || !this.#hasStatus) return chosen ?? [];
    return subresource === 'status' ? ['spec'] : ['status'];
  }

  #subresource({ name, group, version, kind, verbs }: SubresourceRow): Subresource {
    const isOwn = version === '' || (group === this.#row.group && version === this.version);
    const connects = CONNECTIONS.has(name) ? { connects: true as const } : {};
    const names = { name, kind, verbs, ...connects, ...(isOwn ? {} : { group, version }) };
    const isVariant = VARIANTS.has(`${nameInGroup(this.#row.plural, this.#row.group)}/${name}`);
    return name === 'status' || name === 'scale' || isVariant ? names : { ...names, handle: this.#handler(name) };
  }

  #handler(subresource: string): NonNullable<Subresource['handle']> {
    const { group, plural } = this.#row;
    const name = subresource === '' ? nameInGroup(plural, group) : `${nameInGroup(plural, group)}/${subresource}`;
    return this.#ingredients.handlers[name] ?? (() => Promise.reject(notImplemented(name)));
  }
}

/** Kinds that are not stored: bodies of questions, or a view of something else. */
function isVirtual({ versions: [{ verbs }] }: KindRow): boolean {
  return !verbs.includes('watch');
}

/** Subresources that are an update of their object under other rules: their behaviours have the rules. */
const VARIANTS: ReadonlySet<string> = new Set([
  'certificatesigningrequests.certificates.k8s.io/approval',
  'namespaces/finalize',
  'pods/ephemeralcontainers',
  'pods/resize',
]);

/** Subresources that lead to something else than the API server. */
const CONNECTIONS: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward', 'proxy']);

/** Source: `ReturnDeletedObject` in kubernetes `pkg/registry`. */
const RETURNS_DELETED: ReadonlySet<string> = new Set([
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourcequotas',
  'resourceslices.resource.k8s.io',
  'serviceaccounts',
  'services',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
]);

/** Source: `prerelease-lifecycle` of the Go types. */
const DEPRECATED: Readonly<Record<string, string>> = {
  'v1 ComponentStatus': 'v1 ComponentStatus is deprecated in v1.19+',
  'v1 Endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
};

/** Source: apimachinery `pkg/runtime/conversion.go`. */
const NO_FIELD_LABELS: FieldLabels = {
  fields: new Map(),
  unsupported: (field) => `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
};
