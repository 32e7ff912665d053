import type { AdmissionRound, AdmissionSurroundings, WebhookCaller } from '../../../../src/api-server/access/admission/index.js';
import { WebhookCallError } from '../../../../src/api-server/access/webhook-client/index.js';
import {
  type AdmissionRequest,
  type ClusterView,
  draftOf,
  type JsonObject,
  type Resource,
  ResourceCatalog,
  type ServedVersion,
} from '../../../../src/api-server/contract/index.js';
import { StatusError } from '../../../../src/api-server/status/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';

/** Versions differ in the name of one field only. */
function servedVersion(version: string): ServedVersion {
  return {
    version,
    verbs: ['create', 'update'],
    subresources: [],
    strategy: {
      decode: (body: Json) => ({ draft: draftOf(body as JsonObject), strictProblems: [] }),
      setDefaults(draft: Record<string, Json>) {
        draft['defaulted'] ??= true;
      },
    },
  } as unknown as ServedVersion;
}

export function resource(overrides: Partial<Resource> = {}): Resource {
  return {
    group: 'example.com',
    plural: 'things',
    singular: 'thing',
    kind: 'Thing',
    listKind: 'ThingList',
    scope: 'Namespaced',
    shortNames: [],
    categories: [],
    storageKey: 'example.com/things',
    isCustom: true,
    versions: [servedVersion('v1'), servedVersion('v1beta1')],
    storageVersion: 'v1',
    convert: (objects, version) => objects.map((object) => ({ ...object, apiVersion: `example.com/${version}`, converted: version })),
    ...overrides,
  };
}

export interface World extends AdmissionSurroundings {
  readonly catalog: ResourceCatalog;
  readonly cluster: ClusterView;
  readonly objects: Map<string, JsonObject[]>;
  readonly warnings: string[];
  readonly calls: Json[];
  readonly caller: WebhookCaller;
  /** Answers of webhooks by URL; a text is a failure to call. */
  readonly answers: Map<string, (review: ReviewSent) => unknown>;
}

export interface ReviewSent {
  readonly request: {
    readonly uid: string;
    readonly object: JsonObject | null;
    readonly operation: string;
    readonly kind: { readonly version: string };
  };
}

export function world(): World {
  const catalog = new ResourceCatalog();
  catalog.put(resource());
  const objects = new Map<string, JsonObject[]>([['namespaces', [{ metadata: { name: 'a', labels: { team: 'x' } } }]]]);
  const answers = new Map<string, (review: ReviewSent) => unknown>();
  const calls: Json[] = [];
  const cluster: ClusterView = {
    revision: 1,
    get: ({ plural }, { name }) => objects.get(plural)?.find((object) => (object['metadata'] as { name?: string }).name === name),
    list: ({ plural }) => objects.get(plural) ?? [],
  };
  const caller: WebhookCaller = {
    async call(config, review) {
      calls.push(review as Json);
      const answer = answers.get(config.url ?? '');
      if (answer === undefined) throw new WebhookCallError(`Post "${config.url}": dial tcp 127.0.0.1:1: connect: connection refused`);
      return answer(review as ReviewSent);
    },
  };
  const unused = (): never => {
    throw new Error('there is no API here');
  };
  return {
    catalog,
    cluster,
    objects,
    warnings: [],
    calls,
    caller,
    answers,
    api: unused,
    ownContext: unused,
    authorizer: { authorize: () => ({ allowed: true, reason: '' }) },
    suffixes: () => 'abcde',
    hasServiceAccounts: false,
  };
}

export function requestIn(
  { catalog, warnings }: World,
  overrides: Partial<AdmissionRequest> & { readonly isDryRun?: boolean; readonly version?: string } = {},
): AdmissionRequest {
  const { isDryRun = false, version = 'v1', ...fields } = overrides;
  const served = catalog.served('example.com', version, 'things');
  if (served === undefined) throw new Error('no such version');
  return {
    operation: 'CREATE',
    served,
    subresource: '',
    namespace: 'a',
    name: 'one',
    object: { apiVersion: `example.com/${version}`, kind: 'Thing', metadata: { name: 'one', labels: { size: 'big' } } },
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
    context: {
      user: { username: 'ann', groups: ['dev'] },
      fieldManager: 'test',
      fieldValidation: 'Strict',
      isDryRun,
      now: () => new Date(0),
      warn: (text) => warnings.push(text),
      signal: new AbortController().signal,
      authorize: () => undefined,
    },
    ...fields,
  };
}

/** A write of a resource that Kubernetes brings itself. */
export function builtinRequest(inside: World, name: string, fields: Partial<AdmissionRequest> = {}): AdmissionRequest {
  const [plural = '', ...group] = name.split('.');
  const { served } = requestIn(inside);
  return requestIn(inside, { served: { ...served, resource: resource({ group: group.join('.'), plural, kind: plural }) }, ...fields });
}

export const podOf = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({ metadata: { name: 'one', ...metadata }, spec });

/** Text of the refusal, or undefined. */
export async function refusalOf(attempt: () => Promise<unknown> | unknown): Promise<string | undefined> {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (!StatusError.isStatusError(error)) throw error;
    return error.message;
  }
}

export function roundOf(): AdmissionRound {
  return { isReinvocation: false, requestReinvocation: () => undefined, memory: (_plugin, make) => make() };
}

export function allowed(review: ReviewSent, response: object = {}): object {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: review.request.uid, allowed: true, ...response } };
}

export function patching(...operations: object[]): (review: ReviewSent) => unknown {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return (review) => allowed(review, { patch, patchType: 'JSONPatch' });
}

export function webhook(name: string, overrides: object = {}): Json {
  return {
    name,
    clientConfig: { url: `https://${name}` },
    rules: [{ operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'], scope: '*' }],
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    sideEffects: 'None',
    timeoutSeconds: 10,
    admissionReviewVersions: ['v1'],
    ...overrides,
  } as Json;
}

export function configuration(name: string, ...webhooks: Json[]): JsonObject {
  return { metadata: { name }, webhooks };
}
