import {
  type Admission,
  type AdmissionRequest,
  type ApiEvent,
  type ApiWatch,
  type Draft,
  draftOf,
  isObject,
  type JsonObject,
  type RequestBody,
  type RequestContext,
  type Resource,
  type Served,
  type ServedVersion,
  type Strategy,
  type Target,
} from '../../../src/api-server/contract/index.js';
import { Registry, type RegistryOptions } from '../../../src/api-server/registry/index.js';
import { badRequest, type Status, StatusError } from '../../../src/api-server/status/index.js';
import { Store } from '../../../src/api-server/store/index.js';
import { customResourceType, type Endpoint, fieldPath, type OpenApiSchema } from '../../../src/api-server/values/apply/index.js';
import {
  apiVersionOf,
  dns1123SubdomainProblems,
  type FieldError,
  invalid,
  type Json,
  METADATA_FIELDS,
  maskTrailingDash,
} from '../../../src/kubernetes/apimachinery/index.js';
import { HandClock } from '../store/hand-clock.js';

/** Metadata fields as a decoder knows them. */
const META_FIELDS: ReadonlySet<string> = new Set(METADATA_FIELDS);

const SCHEMA: OpenApiSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer' },
        mode: { type: 'string' },
        selector: { type: 'string' },
        items: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      },
    },
    status: { type: 'object', properties: { size: { type: 'integer' }, phase: { type: 'string' } } },
  },
};

/** What a fake kind can have beside the usual. */
export interface FakeOptions {
  readonly group?: string;
  readonly kind?: string;
  readonly scope?: Resource['scope'];
  readonly isCustom?: boolean;
  readonly versions?: readonly string[];
  readonly storageVersion?: string;
  readonly strategy?: Partial<Strategy>;
  readonly scale?: ServedVersion['scale'];
  readonly hasStatus?: boolean;
  readonly convert?: Resource['convert'];
  readonly convertsByWebhook?: boolean;
  readonly version?: Partial<ServedVersion>;
}

/** Widgets: `spec.size` must not be negative, is 1 by default and counts generations; `status` has its own endpoint. */
function fakeResource(options: FakeOptions = {}): Resource {
  const { group = 'example.com', kind = 'Widget', versions = ['v1'], storageVersion = versions[0] ?? 'v1' } = options;
  const apiVersionAt = (version: string): string => apiVersionOf({ group, version });
  return {
    group,
    kind,
    plural: `${kind.toLowerCase()}s`,
    singular: kind.toLowerCase(),
    listKind: `${kind}List`,
    scope: options.scope ?? 'Namespaced',
    shortNames: [],
    categories: [],
    storageKey: `${group}/${kind.toLowerCase()}s`,
    isCustom: options.isCustom ?? false,
    storageVersion,
    versions: versions.map((version) =>
      fakeVersion(version, { ...options, kind, apiVersion: apiVersionAt(version), apiVersions: versions.map(apiVersionAt) }),
    ),
    convertsByWebhook: options.convertsByWebhook ?? false,
    convert:
      options.convert ??
      ((objects, version) =>
        objects.every((object) => object['apiVersion'] === apiVersionAt(version))
          ? objects
          : objects.map((object) => ({ ...object, apiVersion: apiVersionAt(version) }))),
  };
}

function fakeVersion(
  version: string,
  options: FakeOptions & { kind: string; apiVersion: string; apiVersions: readonly string[] },
): ServedVersion {
  const { apiVersion, kind, hasStatus = true } = options;
  const strategy: Strategy = { ...usualStrategy(options), ...options.strategy };
  const type = customResourceType(SCHEMA);
  const endpoint = (subresource: string): Endpoint => ({
    apiVersion,
    kind,
    ...(subresource === '' ? {} : { subresource }),
    typeAt: (asked) => (options.apiVersions.includes(asked) ? type : undefined),
    convert: (object, asked) => ({ ...object, apiVersion: asked }),
    resetFields: Object.fromEntries(
      options.apiVersions.map((asked) => [
        asked,
        [fieldPath(subresource === '' ? 'status' : 'spec'), ...(subresource === '' ? [] : [fieldPath('metadata', 'labels')])],
      ]),
    ),
  });
  return {
    version,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    strategy,
    ...(hasStatus ? { status: { prepareForUpdate: keepAllButStatus, validateUpdate: (object) => sizeErrors(object, 'status') } } : {}),
    ...(options.scale === undefined ? {} : { scale: options.scale }),
    subresources: [],
    endpoint,
    table: { columns: [], cells: () => [] },
    fieldLabels: {
      fields: new Map([['spec.mode', (object: JsonObject) => String((object['spec'] as JsonObject | undefined)?.['mode'] ?? '')]]),
      unsupported: (field) => `field label not supported: ${field}`,
    },
    ...options.version,
  };
}

function usualStrategy({ kind, apiVersion }: { kind: string; apiVersion: string }): Strategy {
  return {
    decode: (body) => decodeFake(body, { kind, apiVersion }),
    setDefaults(draft) {
      const spec = isObject(draft['spec']) ? draft['spec'] : {};
      draft['spec'] = spec;
      spec['size'] ??= 1;
    },
    empty: { kind, apiVersion, metadata: {}, spec: {}, status: {} },
    nameProblems: (name, isPrefix) => dns1123SubdomainProblems(isPrefix ? maskTrailingDash(name) : name),
    prepareForCreate(draft) {
      draft['status'] = {};
      (draft['metadata'] as Draft)['generation'] = 1;
    },
    validate: (object) => sizeErrors(object, 'spec'),
    prepareForUpdate(draft, old) {
      draft['status'] = draftOf(old)['status'] ?? {};
      if (JSON.stringify(draft['spec']) === JSON.stringify(old['spec'])) return;
      const metadata = draft['metadata'] as Draft;
      metadata['generation'] = Number(metadata['generation'] ?? 0) + 1;
    },
    validateUpdate: (object) => sizeErrors(object, 'spec'),
    allowsCreateOnUpdate: false,
    allowsUnconditionalUpdate: true,
    returnsDeleted: false,
  };
}

function keepAllButStatus(draft: Draft, old: JsonObject): void {
  const kept = draftOf(old);
  const managedFields = (draft['metadata'] as Draft)['managedFields'];
  const resourceVersion = (draft['metadata'] as Draft)['resourceVersion'];
  draft['spec'] = kept['spec'] ?? {};
  draft['metadata'] = {
    ...(kept['metadata'] as Draft),
    ...(managedFields === undefined ? {} : { managedFields }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function sizeErrors(object: JsonObject, part: string): readonly FieldError[] {
  const size = (object[part] as JsonObject | undefined)?.['size'];
  return typeof size === 'number' && size < 0 ? [invalid(`${part}.size`, size, 'must not be negative')] : [];
}

function decodeFake(body: Json, { kind, apiVersion }: { kind: string; apiVersion: string }): { draft: Draft; strictProblems: string[] } {
  if (!isObject(body)) throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: json: cannot unmarshal`);
  const draft = draftOf(body as JsonObject);
  const size = isObject(draft['spec']) ? draft['spec']['size'] : undefined;
  if (typeof size === 'string')
    throw badRequest(
      `${kind} in version "v1" cannot be handled as a ${kind}: json: cannot unmarshal string into Go struct field .spec.size of type int`,
    );
  const unknown = Object.keys(draft).filter((field) => !['apiVersion', 'kind', 'metadata', 'spec', 'status'].includes(field));
  for (const field of unknown) delete draft[field];
  const metadata = isObject(draft['metadata']) ? draft['metadata'] : {};
  const unknownMeta = Object.keys(metadata).filter((field) => !META_FIELDS.has(field));
  for (const field of unknownMeta) delete metadata[field];
  const strictProblems = [
    ...unknown.map((field) => `unknown field "${field}"`),
    ...unknownMeta.map((field) => `unknown field "metadata.${field}"`),
  ];
  return { draft: { kind, apiVersion, ...draft, metadata, spec: draft['spec'] ?? {} }, strictProblems };
}

/** Notes what it is asked; `onMutate` and `onValidate` may change, refuse, or write in between. */
export class FakeAdmission implements Admission {
  readonly seen: string[] = [];
  readonly requests: AdmissionRequest[] = [];
  onMutate: (request: AdmissionRequest) => JsonObject | undefined | Promise<JsonObject | undefined> = () => undefined;
  onValidate: (request: AdmissionRequest) => void | Promise<void> = () => undefined;

  async mutate(request: AdmissionRequest): Promise<JsonObject | undefined> {
    this.#note('mutate', request);
    return this.onMutate(request);
  }

  async validate(request: AdmissionRequest): Promise<void> {
    this.#note('validate', request);
    await this.onValidate(request);
  }

  #note(step: string, request: AdmissionRequest): void {
    this.requests.push(request);
    this.seen.push(
      `${step} ${request.operation} ${request.namespace}/${request.name}${request.subresource === '' ? '' : `/${request.subresource}`}`,
    );
  }
}

export interface Bench {
  readonly registry: Registry;
  readonly store: Store;
  readonly clock: HandClock;
  readonly admission: FakeAdmission;
  readonly served: Served;
  readonly warnings: string[];
  /** Seconds since 2024-01-01T00:00:00Z. */
  seconds: number;
  at(path: string, options?: { readonly version?: string; readonly subresource?: string }): Target;
  context(fields?: Partial<RequestContext>): RequestContext;
}

/** A registry over an empty store, with one fake kind; `default/a` is its object `a`, `default/` the collection. */
export function newBench(options: FakeOptions = {}, registryOptions: Partial<RegistryOptions> = {}): Bench {
  const clock = new HandClock();
  const store = new Store({ clock });
  const admission = new FakeAdmission();
  let uid = 0;
  const registry = new Registry({ store, admission, uids: () => `uid-${++uid}`, ...registryOptions });
  const resource = fakeResource(options);
  const servedAt = (version: string | undefined): Served => {
    const found = resource.versions.find((candidate) => version === undefined || candidate.version === version);
    if (found === undefined) throw new Error(`the fake has no version ${version}`);
    return { resource, version: found };
  };
  const bench: Bench = {
    registry,
    store,
    clock,
    admission,
    served: servedAt(undefined),
    warnings: [],
    seconds: 0,
    at(path, { version, subresource = '' } = {}) {
      const [namespace = '', name = ''] = resource.scope === 'Cluster' ? ['', path] : path.split('/');
      return { served: servedAt(version), namespace, name, subresource };
    },
    context: (fields = {}) => ({
      user: { username: 'ann', groups: [] },
      fieldManager: 'test',
      fieldValidation: 'Strict',
      isDryRun: false,
      now: () => new Date(Date.UTC(2024, 0, 1) + bench.seconds * 1000),
      warn: (text) => bench.warnings.push(text),
      signal: new AbortController().signal,
      authorize: () => undefined,
      ...fields,
    }),
  };
  return bench;
}

export const bodyOf = (value: Json, strictProblems: readonly string[] = []): RequestBody => ({ value, strictProblems });

/** A widget's body. */
export function widget(name: string, fields: { readonly [field: string]: Json } = {}): JsonObject {
  const { metadata = {}, ...rest } = fields;
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, ...(metadata as JsonObject) }, spec: { size: 3 }, ...rest };
}

export async function refusalOf(promise: Promise<unknown>): Promise<Status> {
  try {
    await promise;
  } catch (error) {
    if (StatusError.isStatusError(error)) return error.status;
    throw error;
  }
  throw new Error('it was not refused');
}

/** `422 Invalid: Widget.example.com "a" is invalid: …`. */
export async function toldRefusal(promise: Promise<unknown>): Promise<string> {
  const { code, reason = '-', message } = await refusalOf(promise);
  return `${code} ${reason}: ${message}`;
}

export async function drained(watch: ApiWatch): Promise<readonly ApiEvent[]> {
  const events: ApiEvent[] = [];
  for (let event = watch.next(); event !== undefined; event = watch.next()) events.push(await event);
  return events;
}

/** `ADDED a@5`. */
export function toldEvent(event: ApiEvent): string {
  if (event.type === 'ERROR') return `ERROR ${event.status.code} ${event.status.message}`;
  const {
    name = '',
    resourceVersion,
    annotations,
  } = event.object['metadata'] as { name?: string; resourceVersion: string; annotations?: object };
  return `${event.type} ${name}@${resourceVersion}${event.type === 'BOOKMARK' && annotations !== undefined ? ' end' : ''}`;
}

export const metaOf = (object: JsonObject): { readonly [field: string]: Json } => object['metadata'] as JsonObject;
