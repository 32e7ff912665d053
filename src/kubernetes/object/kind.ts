import type { NamedMeta } from './object.js';

export type Scope = 'Namespaced' | 'Cluster';

/**
 * The API's description of a resource: enough to build its URL and its RBAC rule.
 *
 * Functions take this interface, not {@link Kind}: a call signature in a parameter type would make it invariant and nothing would be assignable.
 */
export interface KindInfo<out TObject = unknown, out TScope extends Scope = Scope> {
  /** API group; `''` is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Resource name in URLs and RBAC rules, for example `deployments`. */
  readonly plural: string;
  readonly scope: TScope;
  /** Served subresources, for example `['scale', 'status']`. */
  readonly subresources: readonly string[];
  /** Type only: the object as read from the API. A string key, so that two copies of the package agree. */
  readonly '~object'?: TObject | undefined;
}

/**
 * The fields that a user writes to make an object: `apiVersion` and `kind` are filled in.
 *
 * It has a name: a child without one could not be found again. An object with `generateName` is written as a plain literal.
 */
export type Manifest<TInput> = Omit<TInput, 'apiVersion' | 'kind' | 'metadata'> & { readonly metadata: NamedMeta };

/** A kind as users hold it: descriptor and typed factory in one. */
export interface Kind<TObject = unknown, TScope extends Scope = Scope, TInput = TObject> extends KindInfo<TObject, TScope> {
  /** Builds a manifest of this kind. Nothing is defaulted or validated: the API server does that. */
  (manifest: Manifest<TInput>): TInput;
  readonly '~input'?: TInput | undefined;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(kind: Pick<KindInfo, 'group' | 'version'>): string {
  return kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
}

/** The parts of an `apiVersion`: `apps/v1` is group `apps`, `v1` the core group `''`. For one that a user wrote, {@link groupVersionProblem} comes first. */
export function groupVersionOf(apiVersion: string): Pick<KindInfo, 'group' | 'version'> {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? { group: '', version: apiVersion } : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The error of Go's `ParseGroupVersion`, which takes an empty text and empty parts but not two slashes; `undefined` for an `apiVersion` that it reads. */
export function groupVersionProblem(apiVersion: string): string | undefined {
  return apiVersion.split('/').length > 2 ? `unexpected GroupVersion string: ${apiVersion}` : undefined;
}

/** The path below which the resources of an `apiVersion` are served: `/apis/apps/v1`, or `/api/v1` for the core group. */
export function groupVersionPath(apiVersion: string): string {
  return `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`;
}

/** A kind as Go writes it: `apps/v1, Kind=Deployment`, or `/v1, Kind=Pod` for the core group. */
export function goKindText(apiVersion: string, kind: string): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

/** A resource or kind with its group, as kubectl and the API server's messages name it: `deployments.apps`, or `pods` for the core group. */
export function nameInGroup(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}
