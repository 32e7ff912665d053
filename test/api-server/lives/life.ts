import { groupVersionPath } from '../../../src/kubernetes/apimachinery/index.js';
/** One request of a life. */
export interface Request {
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  /** With its query. */
  readonly path: string;
  /** Default: JSON. */
  readonly contentType?: string;
  readonly body?: object;
  /** Repeated until the answer holds this text: what the server does in the background. The last answer counts. */
  readonly until?: string;
}

/** Requests that follow each other, and whose answers a real server has given: one object, or a few that belong together. */
export interface Life {
  readonly title: string;
  readonly requests: readonly Request[];
}

/** The namespace of all lives. */
export const NAMESPACE = 'lives';

export const life = (title: string, ...requests: readonly Request[]): Life => ({ title, requests });

/** The requests that can be made of one object. */
export interface ObjectRequests {
  create(body: object): Request;
  get(): Request;
  put(body: object): Request;
  /** A merge patch. */
  merge(body: object): Request;
  strategic(body: object): Request;
  json(...operations: readonly object[]): Request;
  /** Server-side apply. */
  apply(manager: string, body: object, options?: { readonly force?: boolean; readonly subresource?: string }): Request;
  delete(): Request;
}

interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly name: string;
  /** Default: {@link NAMESPACE}. */
  readonly isClusterWide?: boolean;
}

export function objectRequests({ apiVersion, kind, plural, name, isClusterWide = false }: Named): ObjectRequests {
  const root = groupVersionPath(apiVersion);
  const collection = `${root}${isClusterWide ? '' : `/namespaces/${NAMESPACE}`}/${plural}`;
  const path = `${collection}/${name}`;
  const whole = (body: object): object => {
    const { metadata = {}, ...rest } = body as { metadata?: object };
    return { apiVersion, kind, metadata: { name, ...metadata }, ...rest };
  };
  const patch = (format: string, body: object): Request => ({
    method: 'PATCH',
    path: `${path}?fieldManager=patcher`,
    contentType: `application/${format}`,
    body,
  });
  return {
    create: (body) => ({ method: 'POST', path: `${collection}?fieldManager=creator`, body: whole(body) }),
    get: () => ({ method: 'GET', path }),
    put: (body) => ({ method: 'PUT', path: `${path}?fieldManager=updater`, body: whole(body) }),
    merge: (body) => patch('merge-patch+json', body),
    strategic: (body) => patch('strategic-merge-patch+json', body),
    json: (...operations) => patch('json-patch+json', operations),
    apply: (manager, body, { force = false, subresource } = {}) => ({
      method: 'PATCH',
      path: `${path}${subresource === undefined ? '' : `/${subresource}`}?fieldManager=${manager}${force ? '&force=true' : ''}`,
      contentType: 'application/apply-patch+yaml',
      body: whole(body),
    }),
    delete: () => ({ method: 'DELETE', path }),
  };
}
