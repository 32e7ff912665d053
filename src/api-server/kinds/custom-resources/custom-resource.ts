import { apiVersionOf, compareVersions, groupVersionOf, type Json } from '@keelson/kubernetes/apimachinery';
import {
  type JsonObject,
  PendingConversion,
  type Resource,
  type ServedVersion,
  type Subresource,
  type Verb,
} from '../../contract/index.js';
import { forbidden, plainError } from '../../status/index.js';
import { customResourceType, type Endpoint, fieldPath, GoDecodeError, type GoTypes, type TypeRef } from '../../values/index.js';
import { type WebhookCaller, WebhookConverter } from './conversion/index.js';
import { type Definition, type DefinitionVersion, deprecationWarningOf, schemaOf, storageVersionOf, versionsOf } from './crd/index.js';
import { sorted } from './sorted.js';
import { customResourceStatusStrategy, customResourceStrategy, type StrategyParts } from './strategy.js';
import { columnTable, selectableField } from './table.js';
import { VersionSchema } from './version-schema.js';

export interface CustomResourceOptions {
  /** The server's reader of metadata. */
  readonly types: GoTypes;
  readonly webhooks: WebhookCaller;
  /** The definition is being deleted: nothing new may come. Asked at each create. */
  readonly isTerminating: () => boolean;
}

const VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
/** Nothing new may come. Source: apiextensions-apiserver, `pkg/apiserver/customresource_discovery_controller.go`. */
const TERMINATING_VERBS: readonly Verb[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const SUBRESOURCE_VERBS: readonly Verb[] = ['get', 'patch', 'update'];

/**
 * The resource that a definition defines, under its accepted names. It stays as it is: a changed definition makes another one.
 *
 * Schemas, rules and columns are compiled when they are first used, once for each version.
 */
export function customResource(definition: Definition, options: CustomResourceOptions): CustomResource {
  return new CustomResource(definition, options);
}

export class CustomResource implements Resource {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageKey: string;
  readonly isCustom = true;
  readonly versions: readonly ServedVersion[];
  readonly storageVersion: string;
  /** The version of storage, served or not: what the server itself works at. */
  readonly stored: ServedVersion;
  readonly #options: CustomResourceOptions;
  readonly #schemas: ReadonlyMap<string, VersionSchema>;
  readonly #types: ReadonlyMap<string, () => TypeRef>;
  readonly #converter: WebhookConverter | undefined;
  /** The latest answers of webhooks, by the question. */
  readonly #answers = new Map<string, JsonObject>();

  constructor({ spec, status }: Definition, options: CustomResourceOptions) {
    const { plural, singular = '', kind, listKind = '', shortNames, categories } = status?.acceptedNames ?? spec.names;
    this.group = spec.group;
    this.plural = plural;
    this.singular = singular;
    this.kind = kind;
    this.listKind = listKind;
    this.scope = spec.scope === 'Cluster' ? 'Cluster' : 'Namespaced';
    this.shortNames = shortNames ?? [];
    this.categories = categories ?? [];
    this.storageKey = `${spec.group}/${plural}`;
    this.storageVersion = storageVersionOf(spec) ?? '';
    this.#options = options;
    const prunes = spec.preserveUnknownFields !== true;
    const versions = versionsOf(spec);
    this.#schemas = new Map(versions.map((version) => [version.name, new VersionSchema(schemaOf(version), { prunes })]));
    this.#types = new Map(
      versions.map((version) => [
        apiVersionOf({ group: spec.group, version: version.name }),
        once(() => customResourceType(schemaOf(version))),
      ]),
    );
    const webhook = spec.conversion?.strategy === 'Webhook' ? spec.conversion.webhook : undefined;
    this.#converter = webhook ? new WebhookConverter(webhook, options.webhooks) : undefined;
    const all = versions.map((version) => ({ isServed: version.served, isStored: version.storage, version: this.#served(version, spec) }));
    this.versions = all
      .filter(({ isServed }) => isServed)
      .map(({ version }) => version)
      .sort((left, right) => compareVersions(left.version, right.version));
    const stored = all.find(({ isStored }) => isStored);
    if (stored === undefined) throw new RangeError(`the definition of ${this.plural}.${this.group} has no storage version`);
    this.stored = stored.version;
  }

  get convertsByWebhook(): boolean {
    return this.#converter !== undefined;
  }

  convert(objects: readonly JsonObject[], version: string): readonly JsonObject[] | Promise<readonly JsonObject[]> {
    const apiVersion = apiVersionOf({ group: this.group, version });
    const current = objects.map((object) => this.#current(object));
    const foreign = current.filter((object) => object['apiVersion'] !== apiVersion);
    if (foreign.length === 0) return current;
    const merge = (converted: readonly JsonObject[]): readonly JsonObject[] => {
      const rest = converted.map((object) => this.#coerced(object, version));
      let index = 0;
      return current.map((object) => (object['apiVersion'] === apiVersion ? object : (rest[index++] as JsonObject)));
    };
    if (this.#converter !== undefined) return this.#converter.convert(foreign, apiVersion).then(merge);
    return merge(foreign.map((object) => ({ ...object, apiVersion })));
  }

  /** As it is read at its own version: by the schema of today, which may be another than that by which it was written. */
  #current(object: JsonObject): JsonObject {
    const schema = this.#schemas.get(versionOf(object));
    return schema === undefined ? object : (sorted(schema.withDefaults(this.#readable(schema, object))) as JsonObject);
  }

  #coerced(object: JsonObject, version: string): JsonObject {
    const schema = this.#schemas.get(version);
    return schema === undefined ? object : (sorted(this.#readable(schema, object)) as JsonObject);
  }

  /** A value that is good at one version may be bad at another. @throws StatusError 500 without a reason, as the server, which has no class for it */
  #readable(schema: VersionSchema, object: JsonObject): Json {
    try {
      return schema.coerce(object, this.#options.types);
    } catch (error) {
      throw GoDecodeError.isGoDecodeError(error) ? plainError((error as Error).message) : error;
    }
  }

  #served(version: DefinitionVersion, spec: Definition['spec']): ServedVersion {
    const hasStatus = statusIn(version);
    const scale = scaleOf(version);
    const parts: StrategyParts = {
      group: this.group,
      kind: this.kind,
      version: version.name,
      types: this.#options.types,
      schemas: this.#schemas,
      schema: this.#schemas.get(version.name) as VersionSchema,
      hasStatus,
      scale,
    };
    const deprecationWarning = deprecationWarningOf(version, spec);
    const { isTerminating } = this.#options;
    const table = once(() => columnTable(version.additionalPrinterColumns ?? []));
    return {
      version: version.name,
      // Asked at each look: a definition that goes away makes no other resource.
      get verbs() {
        return isTerminating() ? TERMINATING_VERBS : VERBS;
      },
      strategy: customResourceStrategy(parts),
      status: hasStatus ? customResourceStatusStrategy(parts) : undefined,
      scale,
      subresources: this.#subresources(hasStatus, scale !== undefined),
      endpoint: (subresource) => this.#endpoint(version.name, subresource, resetFieldsOf(spec, { version, subresource })),
      get table() {
        return table();
      },
      fieldLabels: {
        fields: new Map((version.selectableFields ?? []).map(({ jsonPath }) => selectableField(jsonPath))),
        unsupported: (field) => `field label not supported: ${field}`,
      },
      ...(deprecationWarning !== undefined && { deprecationWarning }),
      checkCreate: (name = '') => {
        if (!isTerminating()) return;
        throw forbidden(this, name, 'create not allowed while custom resource definition is terminating');
      },
    };
  }

  #subresources(hasStatus: boolean, hasScale: boolean): readonly Subresource[] {
    return [
      ...(hasStatus ? [{ name: 'status', kind: this.kind, verbs: SUBRESOURCE_VERBS }] : []),
      ...(hasScale ? [{ name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: SUBRESOURCE_VERBS }] : []),
    ];
  }

  #endpoint(version: string, subresource: string, resetFields: Endpoint['resetFields']): Endpoint {
    return {
      apiVersion: apiVersionOf({ group: this.group, version }),
      kind: this.kind,
      subresource,
      typeAt: (wanted) => this.#types.get(wanted)?.(),
      convert: (object, wanted) => this.#convertNow(object as JsonObject, wanted),
      ...(resetFields && { resetFields }),
    };
  }

  /** For managed fields, which compare objects at every version that has a manager. @throws PendingConversion */
  #convertNow(object: JsonObject, apiVersion: string): JsonObject {
    const converter = this.#converter;
    if (converter === undefined) return { ...object, apiVersion };
    const question = `${apiVersion} ${JSON.stringify(object)}`;
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    throw new PendingConversion(async () => {
      const [converted] = await converter.convert([object], apiVersion);
      if (converted !== undefined) this.#answers.set(question, converted);
      const [oldest] = this.#answers.keys();
      if (this.#answers.size > MAX_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    });
  }
}

/** More than one request ever waits for: two objects at each version that has a manager. */
const MAX_ANSWERS = 100;

function scaleOf({ subresources }: DefinitionVersion): ServedVersion['scale'] {
  const scale = subresources?.scale ?? undefined;
  if (scale === undefined) return undefined;
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return { specReplicasPath, statusReplicasPath, ...(labelSelectorPath ? { labelSelectorPath } : {}) };
}

function versionOf({ apiVersion }: JsonObject): string {
  return typeof apiVersion === 'string' ? groupVersionOf(apiVersion).version : '';
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function statusIn({ subresources }: DefinitionVersion): boolean {
  return (subresources?.status ?? undefined) !== undefined;
}

/**
 * Fields that a write resets. A write of the status resets `metadata` and `spec`, at every version that has a status. A write of the object resets `status`, at the
 * version of the write.
 *
 * Source: apiextensions-apiserver `pkg/apiserver/customresource_handler.go` (getStatusResetFields), `pkg/registry/customresource`.
 */
function resetFieldsOf(
  spec: Definition['spec'],
  { version, subresource }: { readonly version: DefinitionVersion; readonly subresource: string },
): Endpoint['resetFields'] {
  const of = (versions: readonly DefinitionVersion[], ...fields: readonly string[]): Endpoint['resetFields'] =>
    Object.fromEntries(
      versions.map(({ name }) => [apiVersionOf({ group: spec.group, version: name }), fields.map((field) => fieldPath(field))]),
    );
  if (subresource === 'status') return of(versionsOf(spec).filter(statusIn), 'metadata', 'spec');
  return subresource === '' && statusIn(version) ? of([version], 'status') : undefined;
}
