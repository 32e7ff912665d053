import { DNS_1123_LABEL } from '@keelson/kubernetes/apimachinery';
import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { CustomResourceModel } from '../../definition/index.js';
import { ConstructError, isName, ManifestObject } from '../object/index.js';
import { AGGREGATION_LABEL, type AggregatedRole, rulesForUsers } from './user-rules.js';

interface CommonProps {
  /** The custom resource, as `defineCustomResource` returns it. */
  readonly definition: CustomResourceModel;
  /**
   * Names of single roles, for example those that bindings in your cluster refer to already.
   * @default - `<plural>.<group>-viewer-role`, `-editor-role` and `-admin-role`
   */
  readonly names?: Partial<Readonly<Record<AggregatedRole, string>>> | undefined;
  /**
   * Labels for every role.
   * @default - none beside the chart's
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

interface InTheClusterProps extends CommonProps {
  readonly namespaces?: undefined;
  /**
   * Whether Kubernetes' own roles view, edit and admin take in the rules, so that their users need no new binding.
   * @default false - no user gets a right before you bind a role
   */
  readonly aggregate?: boolean | undefined;
}

interface InNamespacesProps extends CommonProps {
  /**
   * Namespaces that get Roles.
   * @default - ClusterRoles: a RoleBinding grants one in its namespace, a ClusterRoleBinding everywhere
   */
  readonly namespaces: readonly string[];
  /** Kubernetes aggregates ClusterRoles alone. */
  readonly aggregate?: false | undefined;
}

export type UserRolesProps = InTheClusterProps | InNamespacesProps;

const SUFFIXES: Readonly<Record<AggregatedRole, string>> = { admin: 'admin-role', edit: 'editor-role', view: 'viewer-role' };
const LEVELS = ['admin', 'edit', 'view'] as const;

/**
 * Roles for people and programs that use a custom resource, to be bound by you: `<plural>.<group>-viewer-role` reads, `-editor-role` writes too, `-admin-role` also
 * writes the status. They are ClusterRoles; with `namespaces`, Roles in each of these.
 *
 * @example
 * ```ts
 * const roles = new UserRoles(chart, 'memcached-roles', { definition: Memcached.customResource, namespaces: ['team-a'] });
 * console.log(roles.role('view', 'team-a').name);
 * ```
 *
 * @throws ConstructError for a namespace that cannot be one, for Roles of a cluster-scoped kind, and for Roles that should be aggregated
 */
export class UserRoles extends Construct {
  readonly #roles = new Map<string, ApiObject>();

  constructor(scope: Construct, id: string, props: UserRolesProps) {
    super(scope, id);
    this.#check(props);
    for (const namespace of props.namespaces ?? [undefined]) {
      for (const level of LEVELS) this.#roles.set(keyOf(level, namespace), this.#role(level, namespace, props));
    }
  }

  /**
   * One of the roles, to bind it.
   *
   * @param namespace needed for a Role, and only for a Role
   * @throws ConstructError if there is no such role
   */
  role(level: AggregatedRole, namespace?: string): ApiObject {
    const role = this.#roles.get(keyOf(level, namespace));
    if (role !== undefined) return role;
    const places = [...new Set([...this.#roles.keys()].map((key) => key.split('/')[0]))].filter((place) => place !== '');
    const found =
      places.length === 0
        ? 'is a ClusterRole; leave the namespace out'
        : `is a Role in ${places.join(', ')}, ${namespace === undefined ? 'and no namespace is given' : `not in '${namespace}'`}`;
    throw new ConstructError(this, `role '${level}' ${found}`);
  }

  #check(props: UserRolesProps): void {
    const { namespaces, definition } = props;
    if (namespaces === undefined) return;
    // Untyped code may pass both.
    if ((props.aggregate as boolean | undefined) === true)
      throw new ConstructError(this, 'aggregate: Kubernetes aggregates ClusterRoles alone; leave aggregate out, or leave namespaces out');
    if (definition.scope === 'Cluster')
      throw new ConstructError(
        this,
        `namespaces: ${definition.kind} is cluster-scoped, and a Role grants nothing on it; leave namespaces out`,
      );
    if (namespaces.length === 0) throw new ConstructError(this, 'namespaces is empty; name at least one, or leave it out for ClusterRoles');
    const wrong = namespaces.find((namespace) => !isName(DNS_1123_LABEL, namespace));
    if (wrong !== undefined) throw new ConstructError(this, `namespaces: '${wrong}' must be ${DNS_1123_LABEL.says}`);
    const twice = namespaces.find((namespace, index) => namespaces.indexOf(namespace) !== index);
    if (twice !== undefined) throw new ConstructError(this, `namespaces: '${twice}' is named twice`);
  }

  #role(level: AggregatedRole, namespace: string | undefined, { definition, names, labels, aggregate }: UserRolesProps): ApiObject {
    const name = names?.[level] ?? `${definition.plural}.${definition.group}-${SUFFIXES[level]}`;
    const apiVersion = 'rbac.authorization.k8s.io/v1';
    const body = { rules: rulesForUsers(definition, level) };
    if (namespace !== undefined) {
      const metadata = { name, namespace, labels: { ...labels } };
      return new ManifestObject(this, `${namespace}.${level}`, { apiVersion, kind: 'Role', scope: 'Namespaced', metadata, body });
    }
    const metadata = { name, labels: { ...labels, ...(aggregate === true ? { [AGGREGATION_LABEL[level]]: 'true' } : {}) } };
    return new ManifestObject(this, level, { apiVersion, kind: 'ClusterRole', scope: 'Cluster', metadata, body });
  }
}

function keyOf(level: AggregatedRole, namespace = ''): string {
  return `${namespace}/${level}`;
}
