import { type Json, OperatorError, type StructuralSchema, webhookUrlOf } from '@keelson/kubernetes/apimachinery';
import { type OpenApiDocument, withBuiltinDescriptions } from './builtin-descriptions.js';
import type { CustomResourceDefinitionManifest, CustomResourceModel, CustomResourceVersionModel, PrinterColumn } from './model.js';
import { RUNTIME_CONTRACT } from './runtime-settings.js';

/** A Service in front of the operator. */
export interface ConversionService {
  /** Name of the Service in front of the operator. */
  readonly serviceName: string;
  readonly serviceNamespace: string;
  /**
   * Port of the Service, not of the pod.
   * @defaultValue 443
   */
  readonly servicePort?: number | undefined;
  /**
   * Path that the webhook server answers conversions at.
   * @defaultValue '/convert'
   */
  readonly path?: string | undefined;
  /**
   * Base64 of the PEM bundle that signed the server's certificate, as the API carries it.
   * @defaultValue - none: cert-manager or the operator itself writes it into the cluster
   */
  readonly caBundle?: string | undefined;
}

/** An operator that no Service leads to, such as one outside the cluster. */
export interface ConversionUrl {
  /** Where the webhook server is reached, without the path: `https://operator.example.com:9443`. */
  readonly url: string;
  /**
   * Path that the webhook server answers conversions at.
   * @defaultValue '/convert'
   */
  readonly path?: string | undefined;
  /**
   * Base64 of the PEM bundle that signed the server's certificate, as the API carries it.
   * @defaultValue - none: authorities that the API server's machine trusts, or what the operator itself writes into the cluster
   */
  readonly caBundle?: string | undefined;
}

/** Where the API server sends objects to be converted between versions. */
export type ConversionWebhookTarget = ConversionService | ConversionUrl;

export interface CustomResourceDefinitionOptions {
  /**
   * Target of the conversion clause. Needed when the definition has conversions; `false` emits the strategy `None` in spite of them
   * (for tools that read the schema only: stored objects would not be converted).
   * @defaultValue - none
   */
  readonly conversionWebhook?: ConversionWebhookTarget | false | undefined;
  /**
   * `<namespace>/<name>` of the cert-manager Certificate whose CA is to be injected into the conversion clause.
   * @defaultValue - no annotation
   */
  readonly caInjection?: string | undefined;
  /**
   * `drop` leaves the schema's descriptions out: `kubectl explain` loses its text, a large CRD becomes small enough for client-side apply.
   * @defaultValue 'keep'
   */
  readonly descriptions?: 'keep' | 'drop' | undefined;
  /**
   * Where the descriptions of built-in types are taken from, those of `k.builtin('PodTemplateSpec')`: OpenAPI documents of an API server, parsed. `kubectl explain` shows
   * them then. They are long: of a Pod template, more than client-side apply can store.
   * @defaultValue - none: the fields of built-in types have no descriptions
   */
  readonly builtinDescriptions?: readonly OpenApiDocument[] | undefined;
}

/**
 * A CRD was asked for that the API server would refuse, or that would not do what its definition says.
 */
export class CrdManifestError extends OperatorError {
  readonly actor = 'author';
  readonly code = 'KEELSON_CRD_MANIFEST';
}

/**
 * `kubectl apply` keeps the whole object in an annotation, and all annotations of an object together may hold this many bytes (H63).
 */
const CLIENT_SIDE_APPLY_LIMIT_BYTES = 262_144;

/**
 * Writes the CustomResourceDefinition of a custom resource as the API takes it.
 *
 * Guarantees: the result shares nothing with the model and nothing with itself (YAML writers would print anchors); map-like parts (labels,
 * annotations, schemas) are sorted by key, the rest is in the API's own order; fields that hold the API's default are left out; a default of
 * `null` stays.
 *
 * @example
 * ```ts
 * const manifest = customResourceDefinitionManifest(Memcached.customResource);
 * console.log(JSON.stringify(manifest, undefined, 2));
 * ```
 *
 * @throws BuiltinDescriptionsError for documents without the types that the schema embeds.
 * @throws CrdManifestError when the definition has conversions and no webhook is named, or a URL that the API server would refuse.
 */
export function customResourceDefinitionManifest(
  model: CustomResourceModel,
  options: CustomResourceDefinitionOptions = {},
): CustomResourceDefinitionManifest {
  const annotations = {
    ...model.annotations,
    ...(options.caInjection === undefined ? {} : { 'cert-manager.io/inject-ca-from': options.caInjection }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${model.plural}.${model.group}`,
      ...(isEmpty(model.labels) ? {} : { labels: sorted(model.labels) }),
      ...(isEmpty(annotations) ? {} : { annotations: sorted(annotations) }),
    },
    spec: {
      group: model.group,
      names: {
        kind: model.kind,
        listKind: model.listKind,
        plural: model.plural,
        singular: model.singular,
        ...(model.shortNames.length === 0 ? {} : { shortNames: [...model.shortNames] }),
        ...(model.categories.length === 0 ? {} : { categories: [...model.categories] }),
      },
      scope: model.scope,
      versions: model.versionList.map((version) => versionManifest(version, options)),
      ...conversionManifest(model, options.conversionWebhook),
    },
  };
}

/**
 * Bytes of a manifest as `kubectl apply` would store it in the `last-applied-configuration` annotation.
 */
export function manifestBytes(manifest: CustomResourceDefinitionManifest): number {
  return Buffer.byteLength(JSON.stringify(manifest), 'utf8') + 1; // kubectl's encoder ends the object with a newline
}

/**
 * The warning to the author of a CRD of so many bytes; `undefined` while client-side apply can store it.
 */
export function crdSizeWarning(bytes: number): string | undefined {
  if (bytes <= CLIENT_SIDE_APPLY_LIMIT_BYTES) return undefined;
  const [size, limit] = [bytes, CLIENT_SIDE_APPLY_LIMIT_BYTES].map((count) => Math.ceil(count / 1024));
  return (
    `the CRD takes ${size} KiB, more than the ${limit} KiB that client-side kubectl apply can store; apply it with --server-side, ` +
    `or leave the descriptions out with descriptions: 'drop' (${bytes} bytes)`
  );
}

function versionManifest(
  version: CustomResourceVersionModel,
  { descriptions, builtinDescriptions }: CustomResourceDefinitionOptions,
): Json {
  const dropDescriptions = descriptions === 'drop';
  if (dropDescriptions && builtinDescriptions !== undefined)
    throw new CrdManifestError("builtinDescriptions are given, and descriptions is 'drop', which leaves them out; leave out one of them");
  const schema =
    builtinDescriptions === undefined
      ? version.schema
      : withBuiltinDescriptions(version.schema, version.builtinTypes ?? [], builtinDescriptions);
  const subresources = {
    ...(version.status ? { status: {} } : {}),
    ...(version.scale === undefined ? {} : { scale: defined({ ...version.scale }) }),
  };
  return {
    name: version.name,
    served: version.served,
    storage: version.storage,
    ...(version.deprecated ? { deprecated: true } : {}),
    ...(version.deprecationWarning === undefined ? {} : { deprecationWarning: version.deprecationWarning }),
    schema: { openAPIV3Schema: schemaManifest(schema, dropDescriptions) },
    ...(isEmpty(subresources) ? {} : { subresources }),
    ...(version.columns.length === 0 ? {} : { additionalPrinterColumns: version.columns.map(columnManifest) }),
    ...(version.selectableFields.length === 0 ? {} : { selectableFields: version.selectableFields.map((jsonPath) => ({ jsonPath })) }),
  };
}

function columnManifest(column: PrinterColumn): Json {
  const { name, type, format, description, priority, jsonPath } = column;
  return defined({ name, type, format, description, priority: priority === 0 ? undefined : priority, jsonPath });
}

function conversionManifest(
  model: CustomResourceModel,
  target: ConversionWebhookTarget | false | undefined,
): { readonly [key: string]: Json } {
  if (model.conversions === undefined || target === false) return {};
  if (target === undefined) {
    throw new CrdManifestError(
      `${model.kind}.${model.group}: the definition converts between versions, so its CRD needs a webhook to send objects to; ` +
        'pass conversionWebhook { serviceName, serviceNamespace } or { url } (the Operator construct does), or false to leave conversion out',
    );
  }
  const { caBundle } = target;
  return {
    conversion: {
      strategy: 'Webhook',
      webhook: {
        clientConfig: { ...conversionPlace(model, target), ...(caBundle === undefined ? {} : { caBundle }) },
        conversionReviewVersions: ['v1'],
      },
    },
  };
}

function conversionPlace(model: CustomResourceModel, target: ConversionWebhookTarget): { readonly [key: string]: Json } {
  const path = target.path ?? RUNTIME_CONTRACT.paths.conversion;
  if (!('url' in target)) {
    const { serviceName: name, serviceNamespace: namespace, servicePort: port = RUNTIME_CONTRACT.servicePorts.webhook } = target;
    return { service: { name, namespace, path, port } };
  }
  const url = webhookUrlOf(target.url);
  if (typeof url === 'string') throw new CrdManifestError(`${model.kind}.${model.group}: conversionWebhook.url '${target.url}' ${url}`);
  return { url: `${url.text}${path}` };
}

/** Keys of a schema node whose value is a schema, a list of schemas or a map of schemas; everything else is data and copied as it is. */
const SCHEMA_LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
const SCHEMA_NODES: ReadonlySet<string> = new Set(['items', 'not', 'additionalProperties']);

function schemaManifest(schema: StructuralSchema, dropDescriptions: boolean): Json {
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(schema).sort(byKey)) {
    if (value === undefined || (dropDescriptions && key === 'description')) continue;
    if (key === 'properties') result[key] = schemaMap(value as Readonly<Record<string, StructuralSchema>>, dropDescriptions);
    else if (SCHEMA_LISTS.has(key))
      result[key] = (value as readonly StructuralSchema[]).map((part) => schemaManifest(part, dropDescriptions));
    else if (SCHEMA_NODES.has(key) && typeof value === 'object') result[key] = schemaManifest(value as StructuralSchema, dropDescriptions);
    else result[key] = copy(value as Json);
  }
  return result;
}

function schemaMap(properties: Readonly<Record<string, StructuralSchema>>, dropDescriptions: boolean): Json {
  const result: Record<string, Json> = {};
  for (const [name, schema] of Object.entries(properties).sort(byKey)) define(result, name, schemaManifest(schema, dropDescriptions));
  return result;
}

/** A property may be called `__proto__`; an assignment would set the prototype instead. */
function define(target: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

function copy(value: Json): Json {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: Json) => copy(item));
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) if (item !== undefined) define(result, key, copy(item as Json));
  return result;
}

function defined(record: Readonly<Record<string, Json | undefined>>): Json {
  return Object.fromEntries(Object.entries(record).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function sorted(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(record).sort(byKey));
}

/** By code unit, as cdk8s sorts: `localeCompare` would depend on the machine. */
function byKey(left: readonly [string, unknown], right: readonly [string, unknown]): number {
  return left[0] < right[0] ? -1 : left[0] > right[0] ? 1 : 0;
}

function isEmpty(record: object): boolean {
  return Object.keys(record).length === 0;
}
