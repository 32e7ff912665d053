import { goKindText, goQuote, type Json } from '@keelson/kubernetes/apimachinery';
import type { AdmissionVariables } from '@keelson/kubernetes/cel';
import type { AdmissionRequest, Resource, ServedVersion } from '../../../contract/index.js';
import type { Status } from '../../../status/index.js';

/** The webhook, the subject of its review, and the version. */
export interface ReviewSubject {
  readonly resource: Resource;
  readonly version: ServedVersion;
  /** The request with its objects at that version. */
  readonly request: AdmissionRequest;
}

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** The first version of AdmissionReview that both sides know. */
export function reviewVersion(offered: readonly string[] = []): string | undefined {
  return offered.find((version) => REVIEW_VERSIONS.includes(version));
}

/** The AdmissionReview that is sent; fields in the order of the Go type. */
export function admissionReview(uid: string, { resource, version, request }: ReviewSubject, reviewed: string): Json {
  const { object = null, oldObject = null, options, context } = request;
  const described = describe(request, { resource, version });
  const { requestSubResource, name, namespace, operation, userInfo, ...kinds } = described;
  return {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${reviewed}`,
    request: {
      uid,
      ...kinds,
      ...(requestSubResource === '' ? {} : { requestSubResource }),
      ...(name === '' ? {} : { name }),
      ...(namespace === '' ? {} : { namespace }),
      operation,
      userInfo,
      object,
      oldObject,
      dryRun: context.isDryRun,
      options,
    },
  };
}

/**
 * The request as a match condition or a policy sees it. Source: apiserver `pkg/admission/plugin/cel`, CreateAdmissionRequest.
 *
 * @param at the resource that the expression is asked about. Default: that of the request
 */
export function conditionVariables(
  request: AdmissionRequest,
  at: Pick<ReviewSubject, 'resource' | 'version'> = request.served,
): AdmissionVariables {
  const { object = null, oldObject = null, options, context } = request;
  const { requestSubResource, subResource, name, namespace, ...described } = describe(request, at);
  return {
    object,
    oldObject,
    request: {
      ...described,
      ...(subResource === undefined ? {} : { subResource }),
      ...(requestSubResource === '' ? {} : { requestSubResource }),
      ...(name === '' ? {} : { name }),
      ...(namespace === '' ? {} : { namespace }),
      dryRun: context.isDryRun,
      options,
    },
  };
}

interface Described {
  readonly [field: string]: Json;
  readonly kind: Json;
  readonly resource: Json;
  readonly requestKind: Json;
  readonly requestResource: Json;
  readonly requestSubResource: string;
  readonly name: string;
  readonly namespace: string;
  readonly operation: string;
  readonly userInfo: Json;
}

function describe(request: AdmissionRequest, { resource, version }: Omit<ReviewSubject, 'request'>): Described {
  const { served, subresource, name, namespace, operation, context } = request;
  const { username, uid = '', groups, extra = {} } = context.user;
  const own = { group: served.resource.group, version: served.version.version };
  return {
    kind: { ...(request.kind ?? { group: resource.group, version: version.version, kind: resource.kind }) },
    resource: { group: resource.group, version: version.version, resource: resource.plural },
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: { ...(request.kind ?? { ...own, kind: served.resource.kind }) },
    requestResource: { ...own, resource: served.resource.plural },
    requestSubResource: subresource,
    name,
    namespace,
    operation,
    userInfo: {
      username,
      ...(uid === '' ? {} : { uid }),
      ...(groups.length === 0 ? {} : { groups: [...groups] }),
      ...(Object.keys(extra).length === 0
        ? {}
        : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
    },
  };
}

/** The answer of a webhook, once it has been found well-formed. */
export interface Verdict {
  readonly allowed: boolean;
  /** JSON Patch as text; `''`: none. */
  readonly patch: string;
  readonly patchType: string;
  readonly result: Partial<Status> | undefined;
  readonly warnings: readonly string[];
}

interface AnsweredReview {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly response?: {
    readonly uid?: string;
    readonly allowed?: boolean;
    readonly patch?: string;
    readonly patchType?: string;
    readonly status?: Partial<Status>;
    readonly warnings?: readonly string[];
  } | null;
}

/** @returns a text where the answer is not one to this question. Source: apiserver `webhook/request/admissionreview.go`. */
export function verdictOf(
  answer: unknown,
  { uid, version, mayPatch }: { readonly uid: string; readonly version: string; readonly mayPatch: boolean },
): Verdict | string {
  const review = (typeof answer === 'object' && answer !== null ? answer : {}) as AnsweredReview;
  const { response } = review;
  if (response === undefined || response === null) return 'webhook response was absent';
  const { patch = '', patchType } = response;
  if (version === 'v1') {
    const problem = uidProblem(response.uid ?? '', uid) ?? kindProblem(review) ?? patchProblem({ patch, patchType }, mayPatch);
    if (problem !== undefined) return problem;
  }
  const { allowed = false, status: result, warnings = [] } = response;
  const text = mayPatch ? Buffer.from(patch, 'base64').toString('utf8') : '';
  return { allowed, patch: text, patchType: patchType ?? 'JSONPatch', result, warnings };
}

function uidProblem(answered: string, asked: string): string | undefined {
  return answered === asked ? undefined : `expected response.uid=${goQuote(asked)}, got ${goQuote(answered)}`;
}

function kindProblem({ apiVersion = '', kind = '' }: AnsweredReview): string | undefined {
  if (apiVersion === 'admission.k8s.io/v1' && kind === 'AdmissionReview') return undefined;
  const given = goKindText(String(apiVersion), String(kind));
  return `expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got ${given}`;
}

function patchProblem(
  { patch, patchType }: { readonly patch: string; readonly patchType: string | undefined },
  mayPatch: boolean,
): string | undefined {
  if (!mayPatch) {
    if (patch !== '') return 'validating webhook may not return response.patch';
    return patchType === undefined ? undefined : 'validating webhook may not return response.patchType';
  }
  if (patch !== '' && patchType === undefined) return 'webhook returned response.patch but not response.patchType';
  if (patch === '' && patchType !== undefined) return 'webhook returned response.patchType but not response.patch';
  return patchType === '' ? 'webhook returned invalid response.patchType of ""' : undefined;
}
