import type { PolicyRule } from '@keelson/kubernetes/apimachinery';
import { serviceAccountUsername, type UserInfo } from '../user-info.js';
import type { ClusterRole, Role, RoleBinding, RoleRef, RoleSource, Subject } from './policy.js';

/** The rules that a binding gives, or the role that there is not. */
export type ReferencedRules = { readonly rules: readonly PolicyRule[] } | { readonly missing: RoleRef };

/** A binding that applies to a user, and the first of its subjects that does. */
export interface AppliedBinding {
  readonly binding: RoleBinding;
  readonly subject: Subject;
  /** '' of a ClusterRoleBinding. */
  readonly namespace: string;
}

interface Entry {
  readonly binding: RoleBinding;
  readonly order: number;
}

/**
 * One state of the policy, indexed so that a request touches the bindings of its user alone: a server with thousands of bindings decides as fast as an
 * empty one.
 */
export class RoleIndex {
  readonly #clusterRoles = new Map<string, ClusterRole>();
  readonly #roles = new Map<string, Role>();
  /** By namespace ('' for ClusterRoleBindings), then by subject. */
  readonly #bindings = new Map<string, Map<string, Entry[]>>();

  constructor(source: RoleSource) {
    for (const role of source.clusterRoles()) this.#clusterRoles.set(role.metadata.name ?? '', role);
    for (const role of source.roles()) this.#roles.set(`${role.metadata.namespace}/${role.metadata.name}`, role);
    let order = 0;
    for (const binding of source.clusterRoleBindings()) this.#add({ binding, order: order++ }, '');
    for (const binding of source.roleBindings()) this.#add({ binding, order: order++ }, binding.metadata.namespace ?? '');
  }

  #add(entry: Entry, namespace: string): void {
    const bySubject = this.#bindings.get(namespace) ?? new Map<string, Entry[]>();
    this.#bindings.set(namespace, bySubject);
    for (const subject of entry.binding.subjects ?? []) {
      const key = keyOf(subject, namespace);
      if (key === undefined) continue;
      const entries = bySubject.get(key);
      if (entries === undefined) bySubject.set(key, [entry]);
      else if (entries.at(-1) !== entry) entries.push(entry);
    }
  }

  /** Bindings of a user: those of the cluster, then those of `namespace` (none if it is ''), each once, in the order of the source. */
  *bindingsOf(user: UserInfo, namespace: string): Generator<AppliedBinding> {
    const keys = [`user:${user.username}`, ...user.groups.map((group) => `group:${group}`)];
    yield* this.#applied(keys, '');
    if (namespace !== '') yield* this.#applied(keys, namespace);
  }

  *#applied(keys: readonly string[], namespace: string): Generator<AppliedBinding> {
    const bySubject = this.#bindings.get(namespace);
    if (bySubject === undefined) return;
    const found = new Set(keys.flatMap((key) => bySubject.get(key) ?? []));
    for (const { binding } of [...found].sort((left, right) => left.order - right.order)) {
      const subject = binding.subjects?.find((candidate) => keys.includes(keyOf(candidate, namespace) ?? ''));
      if (subject !== undefined) yield { binding, subject, namespace };
    }
  }

  /** @param namespace of the binding; '' of a ClusterRoleBinding */
  rulesOf(roleRef: RoleRef, namespace: string): ReferencedRules {
    const role = this.#roleOf(roleRef, namespace);
    return role === undefined ? { missing: roleRef } : { rules: role.rules ?? [] };
  }

  #roleOf({ kind, name }: RoleRef, namespace: string): ClusterRole | Role | undefined {
    if (kind === 'ClusterRole') return this.#clusterRoles.get(name);
    return kind === 'Role' ? this.#roles.get(`${namespace}/${name}`) : undefined;
  }
}

/** `undefined` for a subject that matches no user. A service account without a namespace is one of the binding's, which a ClusterRoleBinding does not have. */
function keyOf({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  switch (kind) {
    case 'User':
      return `user:${name}`;
    case 'Group':
      return `group:${name}`;
    case 'ServiceAccount': {
      const home = namespace || bindingNamespace;
      return home === '' ? undefined : `user:${serviceAccountUsername(home, name)}`;
    }
    default:
      return undefined;
  }
}
