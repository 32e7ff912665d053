import type { ClusterRole, Role, RoleBinding, RoleSource } from '../access/index.js';
import type { ClusterView } from '../contract/index.js';
import type { Store } from '../store/index.js';

const GROUP = 'rbac.authorization.k8s.io';
const PLURALS = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'] as const;

/** The RBAC policy as it is stored. */
export class StoredRoles implements RoleSource {
  readonly #cluster: ClusterView;
  #revision = 0;

  constructor({ store, cluster }: { readonly store: Store; readonly cluster: ClusterView }) {
    this.#cluster = cluster;
    for (const plural of PLURALS) {
      const outcome = store.watch({ resource: `${plural}.${GROUP}` });
      if (!outcome.ok) throw new RangeError(`a watch from now on cannot be refused: ${outcome.problem.message}`);
      const watch = outcome.value;
      watch.onEvent(() => {
        this.#revision += 1;
        while (watch.next() !== undefined);
      });
    }
  }

  get revision(): number {
    return this.#revision;
  }

  clusterRoles(): Iterable<ClusterRole> {
    return this.#list('clusterroles') as Iterable<ClusterRole>;
  }

  clusterRoleBindings(): Iterable<RoleBinding> {
    return this.#list('clusterrolebindings') as Iterable<RoleBinding>;
  }

  roles(): Iterable<Role> {
    return this.#list('roles') as Iterable<Role>;
  }

  roleBindings(): Iterable<RoleBinding> {
    return this.#list('rolebindings') as Iterable<RoleBinding>;
  }

  #list(plural: string): unknown {
    return this.#cluster.list({ group: GROUP, plural });
  }
}
