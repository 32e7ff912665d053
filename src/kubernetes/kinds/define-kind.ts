import { apiVersionOf, type Kind, type Manifest, type Scope } from '../object/index.js';
import { KindError } from './errors.js';

/** The description of a kind for {@link defineKind}: the facts that `kubectl api-resources` shows. */
export interface KindDescription<TScope extends Scope = Scope> {
  /** API group; `''` is the core group. */
  readonly group: string;
  readonly version: string;
  /** Pascal case, as in manifests. */
  readonly kind: string;
  /** Lower case, as in URLs and RBAC rules. */
  readonly plural: string;
  readonly scope: TScope;
  /** Served subresources. Default: none, because a right to a subresource that is not served means nothing. */
  readonly subresources?: readonly string[];
}

const GROUP = /^(|[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)$/;
const LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const KIND = /^[A-Z][A-Za-z0-9]*$/;

/**
 * Makes the `Kind` value of an API that keelson does not bring: descriptor and typed factory in one.
 *
 * Annotate the constant; the types are inferred from the annotation.
 *
 * Keep it a constant. Written inline beside a `reconcile` function, a generic call that returns something callable is skipped by TypeScript in its
 * first pass, and the object's type is lost.
 *
 * `keelson import crd.yaml` writes these lines from a CRD.
 *
 * @example
 * ```ts
 * export interface Certificate {
 *   readonly apiVersion: 'cert-manager.io/v1';
 *   readonly kind: 'Certificate';
 *   metadata: NamedMeta;
 *   spec: { secretName: string };
 * }
 * export const Certificate: Kind<Certificate, 'Namespaced'> = defineKind({
 *   group: 'cert-manager.io',
 *   version: 'v1',
 *   kind: 'Certificate',
 *   plural: 'certificates',
 *   scope: 'Namespaced',
 * });
 * ```
 *
 * @throws KindError when a name is not one that the API server would serve.
 */
export function defineKind<TObject, TScope extends Scope = Scope, TInput = TObject>(
  description: KindDescription<TScope>,
): Kind<TObject, TScope, TInput> {
  refuseInvalid(description);
  const { group, version, kind, plural, scope, subresources = [] } = description;
  const identity = { apiVersion: apiVersionOf(description), kind };
  // The identity is written twice: the first sets the order of keys, the second wins over what untyped code may have put into the manifest.
  const factory = (manifest: Manifest<TInput>): TInput => ({ ...identity, ...manifest, ...identity }) as unknown as TInput;
  return Object.freeze(Object.assign(factory, { group, version, kind, plural, scope, subresources: Object.freeze([...subresources]) }));
}

function refuseInvalid({ group, version, kind, plural, scope, subresources = [] }: KindDescription): void {
  const refuse = (field: string, found: unknown, wanted: string): never => {
    throw new KindError(`defineKind(${kind}): ${field} ${JSON.stringify(found)} is not ${wanted}`);
  };
  if (!KIND.test(kind)) refuse('kind', kind, 'a kind\'s name: Pascal case, for example "Deployment"');
  if (!GROUP.test(group)) refuse('group', group, 'an API group: a DNS name in lower case, or "" for the core group');
  if (!LABEL.test(version)) refuse('version', version, 'a version: lower case, for example "v1" or "v1beta1", without the group');
  if (!LABEL.test(plural)) refuse('plural', plural, 'a resource name: lower case, for example "deployments"');
  if (scope !== 'Namespaced' && scope !== 'Cluster') refuse('scope', scope, '"Namespaced" or "Cluster"');
  for (const subresource of subresources) {
    if (!LABEL.test(subresource)) refuse('subresource', subresource, 'the name of a subresource alone, for example "status"');
  }
}
