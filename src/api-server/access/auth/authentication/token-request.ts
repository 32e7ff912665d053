import { type FieldError, goKindText, groupVersionOf, invalid } from '@keelson/kubernetes/apimachinery';
import { badRequest, conflict, invalidObject, notFound } from '../../../status/index.js';
import type { BoundObject, FindObject, ServiceAccountTokens, TokenContent } from './service-account-tokens.js';

/** `authentication.k8s.io/v1` TokenRequest, decoded. */
export interface TokenRequest {
  readonly metadata?: { readonly name?: string; readonly namespace?: string; readonly uid?: string | undefined };
  readonly spec?: {
    readonly audiences?: readonly string[] | null;
    readonly expirationSeconds?: number | null;
    readonly boundObjectRef?: BoundObjectReference | null;
  };
}

interface BoundObjectReference {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

export interface TokenRequestContext {
  readonly namespace: string;
  /** The service account's namespace and name: both from the request's path. */
  readonly name: string;
  readonly tokens: ServiceAccountTokens;
  readonly find: FindObject;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The validating half of admission. @throws StatusError to refuse */
  readonly validate?: ((request: TokenRequest) => Promise<void>) | undefined;
}

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const DEFAULT_SECONDS = 3600;
/** The lifetime that the kubelet's projected volumes ask for; such a token is made to live a year, so that clients that never read it again go on. */
const PROJECTED_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;

/**
 * Answers a create of `serviceaccounts/token`. Errors: `StatusError`.
 *
 * Source: kubernetes `pkg/registry/core/serviceaccount/storage/token.go`, with the defaults of kube-apiserver's flags.
 */
export async function requestToken(request: TokenRequest, context: TokenRequestContext): Promise<Record<string, unknown>> {
  const { namespace, name, tokens, find, now, validate } = context;
  refuseOtherName(request, context);
  const serviceAccount = find('serviceaccounts', namespace, name);
  if (serviceAccount === undefined) throw notFound({ group: '', plural: 'serviceaccounts' }, name);
  const { uid } = serviceAccount.metadata;
  const asked = request.metadata?.uid;
  if (asked && asked !== uid) {
    const text = `the UID in the token request (${asked}) does not match the UID of the service account (${uid})`;
    throw conflict({ group: KIND.group, plural: KIND.kind }, name, text);
  }
  const { boundObjectRef = null } = request.spec ?? {};
  const audiences = request.spec?.audiences?.length ? request.spec.audiences : tokens.audiences;
  const expirationSeconds = request.spec?.expirationSeconds ?? DEFAULT_SECONDS;
  const errors = durationErrors(expirationSeconds);
  if (errors.length > 0) throw invalidObject(KIND, '', errors);
  const created = now();
  const metadata = { name, namespace, uid, creationTimestamp: timeText(created) };
  await validate?.({ ...request, metadata: { ...request.metadata, ...metadata }, spec: { audiences, expirationSeconds, boundObjectRef } });
  const bound = boundObjectRef === null ? {} : boundObjects(boundObjectRef, context);
  const isExtended =
    bound.pod !== undefined && expirationSeconds === PROJECTED_SECONDS && audiences.every((one) => tokens.audiences.includes(one));
  const life = isExtended ? { expirationSeconds: EXTENDED_SECONDS, warnAfterSeconds: expirationSeconds } : { expirationSeconds };
  const token = tokens.issue({ serviceAccount, ...bound, audiences, ...life });
  return {
    kind: KIND.kind,
    apiVersion: `${KIND.group}/v1`,
    metadata,
    spec: { audiences, expirationSeconds, boundObjectRef },
    status: { token, expirationTimestamp: timeText(created + expirationSeconds * 1000) },
  };
}

function refuseOtherName({ metadata = {} }: TokenRequest, { name, namespace }: TokenRequestContext): void {
  if (metadata.name && metadata.name !== name)
    throw invalidObject(KIND, name, [invalid('metadata.name', metadata.name, 'must match the service account name if specified')]);
  if (metadata.namespace && metadata.namespace !== namespace)
    throw invalidObject(KIND, name, [
      invalid('metadata.namespace', metadata.namespace, 'must match the service account namespace if specified'),
    ]);
}

function durationErrors(seconds: number): FieldError[] {
  const field = 'spec.expirationSeconds';
  if (seconds < 600) return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
  if (seconds > 2 ** 32) return [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')];
  return [];
}

function boundObjects(reference: BoundObjectReference, context: TokenRequestContext): Pick<TokenContent, 'pod' | 'secret' | 'node'> {
  const { apiVersion = '', kind = '', name: boundName = '' } = reference;
  const { group } = groupVersionOf(apiVersion);
  switch (group === '' ? kind : '') {
    case 'Pod': {
      const pod = boundObject('pods', boundName, context);
      const { serviceAccountName, nodeName } = (pod.spec ?? {}) as { serviceAccountName?: string; nodeName?: string };
      if (serviceAccountName !== context.name)
        throw badRequest(
          `cannot bind token for serviceaccount ${JSON.stringify(context.name)} to pod running with different serviceaccount name.`,
        );
      refuseOtherUid(pod, reference);
      if (!nodeName) return { pod };
      return { pod, node: context.find('nodes', '', nodeName) ?? { metadata: { name: nodeName } } };
    }
    case 'Node':
      return { node: refuseOtherUid(boundObject('nodes', boundName, context), reference) };
    case 'Secret':
      return { secret: refuseOtherUid(boundObject('secrets', boundName, context), reference) };
    default:
      throw badRequest(`cannot bind token to object of type ${goKindText(apiVersion, kind)}`);
  }
}

function boundObject(resource: 'pods' | 'nodes' | 'secrets', name: string, { find, namespace }: TokenRequestContext): BoundObject {
  const object = find(resource, resource === 'nodes' ? '' : namespace, name);
  if (object === undefined) throw notFound({ group: '', plural: resource }, name);
  return object;
}

function refuseOtherUid(object: BoundObject, { kind = '', name = '', uid }: BoundObjectReference): BoundObject {
  if (!uid || uid === object.metadata.uid) return object;
  const text = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  throw conflict({ group: '', plural: kind }, name, text);
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, 'Z');
}
