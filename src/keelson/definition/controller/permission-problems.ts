import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { RawPermission, Verb } from '../model.js';
import { namedNamespaceProblems } from '../named-namespaces.js';
import { shown } from '../option-shape.js';

const RBAC = 'rbac.authorization.k8s.io';
const ROLES: readonly string[] = ['Role', 'ClusterRole'];
const WRITES: readonly Verb[] = ['create', 'update', 'patch', 'apply'];

/** A handle through which a controller writes objects of a kind. */
export interface WritingHandle {
  readonly path: string;
  readonly kind: KindInfo;
  readonly verbs: readonly Verb[];
}

/**
 * Bindings that a controller writes without a right to bind. The API server lets a client bind a role only if the client has all rights of the role, or the verb
 * `bind` on it.
 *
 * A controller that writes roles too passes: the API server asks the same of the role.
 * Source: kubernetes `pkg/registry/rbac/escalation_check.go`, `BindingAuthorized`.
 */
export function bindingProblems(handles: readonly WritingHandle[], permissions: readonly RawPermission[]): Problem[] {
  const written = handles.filter(({ kind, verbs }) => kind.group === RBAC && WRITES.some((verb) => verbs.includes(verb)));
  if (written.some(({ kind }) => ROLES.includes(kind.kind)) || permissions.some(({ verbs }) => verbs?.includes('bind') === true)) return [];
  return written.map(({ path, kind }) => {
    const scoped = kind.scope === 'Cluster' ? ', clusterScoped: true' : '';
    const right = `{ apiGroups: ['${RBAC}'], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind']${scoped} }`;
    return {
      path,
      message: `writes ${kind.kind}s, which the API server refuses without the right to bind the role; add it, with the role's name, for example permissions: [${right}]`,
    };
  });
}

/** Problems of raw rights; a right that no code uses must not be granted. */
export function permissionProblems(permissions: readonly RawPermission[]): Problem[] {
  return permissions.flatMap((rule, index) => {
    const path = `permissions[${index}]`;
    const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs, namespaces, clusterScoped } = rule;
    const problems: Problem[] = namedNamespaceProblems(namespaces, undefined, `${path}.namespaces`);
    if (namespaces !== undefined && (clusterScoped === true || nonResourceURLs.length > 0))
      problems.push({ path: `${path}.namespaces`, message: 'is set, but the rule is about nothing in a namespace; leave it out' });
    if (verbs === undefined || verbs.length === 0)
      problems.push({ path: `${path}.verbs`, message: 'is empty; the rule grants nothing: name the verbs' });
    if (nonResourceURLs.length > 0 === resources.length > 0) {
      problems.push({ path, message: 'must have either resources with their apiGroups, or nonResourceURLs' });
    }
    if (resources.length > 0 && apiGroups.length === 0)
      problems.push({ path: `${path}.apiGroups`, message: "is empty; name the group, '' for the core group" });
    if ([...apiGroups, ...resources, ...(verbs ?? [])].some((text) => text === '*' || text.endsWith('/*') || text.startsWith('*/'))) {
      problems.push({ path, message: "grants '*'; name the groups, resources and verbs that the code uses" });
    }
    if (verbs?.includes('deletecollection') === true) {
      problems.push({
        path: `${path}.verbs`,
        message: 'grants deletecollection, which can empty a namespace in one call; delete objects one by one',
      });
    }
    const wrong = verbs?.find((verb) => verb !== verb.toLowerCase());
    if (wrong !== undefined)
      problems.push({ path: `${path}.verbs`, message: `${shown(wrong)} is not a verb; write it in lower case, for example get` });
    if (resourceNames.length > 0 && verbs?.includes('create') === true) {
      problems.push({
        path: `${path}.resourceNames`,
        message: 'cannot restrict create: the API server checks it before it knows the name; give create a rule of its own',
      });
    }
    return problems;
  });
}
