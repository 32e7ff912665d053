import type { PolicyRule } from '@keelson/kubernetes/apimachinery';
import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  type CertificatePermissions,
  type GrantedRole,
  installedRoles,
  isSelective,
  type Permissions,
  type PermissionsOptions,
  permissionsOf,
  selfManagedPermissions,
} from '../../definition/index.js';
import {
  type Installation,
  type InstallationPart,
  installationOfPart,
  installedManifest,
  type NamedReference,
} from '../installation/index.js';
import { OperatorServiceAccount } from './operator-service-account.js';

export interface OperatorRbacProps extends InstallationPart {
  /**
   * The ServiceAccount that is granted the rights; it lives in the operator's namespace.
   * @default - an OperatorServiceAccount is created
   */
  readonly serviceAccount?: NamedReference | undefined;
  /**
   * Rights beyond those derived, for code that the definition does not know. `cluster`: a ClusterRole; `own`: the operator's namespace.
   * @default - none
   */
  readonly extraRules?:
    | { readonly cluster?: readonly PolicyRule[] | undefined; readonly own?: readonly PolicyRule[] | undefined }
    | undefined;
}

/**
 * The ServiceAccount and exactly the rights that the definition declares.
 *
 * Emits: ServiceAccount; ClusterRole and ClusterRoleBinding `<name>` for what is granted everywhere; with `scope: { namespaces }` a Role and
 * RoleBinding `<name>` in each of them, and so in each namespace that a declaration names; a Role and RoleBinding `<name>-runtime` in the operator's own namespace (Lease, certificate); with secure
 * metrics a ClusterRole `<name>-metrics-reader`, bound to `metrics.readers`. Roles that would grant nothing are left out.
 *
 * @example
 * ```ts
 * const installation = installationOf(chart, { operator, namespace: 'memcached-system' });
 * const rbac = new OperatorRbac(chart, 'rbac', { installation });
 * console.log(rbac.serviceAccount.name);
 * ```
 */
export class OperatorRbac extends Construct {
  /** The granted rights, each with the declaration that asks for it. */
  readonly permissions: Permissions;
  /** The options that they are derived with: `permissionsTable(operator, rbac.permissionsOptions)` prints them for reviewers. */
  readonly permissionsOptions: PermissionsOptions;
  /** The ServiceAccount that is granted the rights; a subject for more roles, of cdk8s-plus too. */
  readonly serviceAccount: OperatorServiceAccount;
  readonly clusterRole: ApiObject | undefined;
  /** Roles by namespace; the operator's own rights are in {@link runtimeRole}. */
  readonly roles: ReadonlyMap<string, ApiObject>;
  readonly runtimeRole: ApiObject | undefined;
  readonly #installation: Installation;

  constructor(scope: Construct, id: string, props: OperatorRbacProps) {
    super(scope, id);
    this.#installation = installationOfPart(this, props);
    const { name, names, namespace } = this.#installation;
    this.permissionsOptions = permissionsOptions(this.#installation);
    this.permissions = permissionsOf(this.#installation.model, this.permissionsOptions);
    this.serviceAccount = new OperatorServiceAccount(this, 'service-account', {
      installation: this.#installation,
      existing: props.serviceAccount,
    });
    const { scope: watched, metrics } = this.#installation;
    const { cluster, byNamespace, runtime, metricsReader } = installedRoles({
      name,
      namespace,
      names,
      labels: this.#installation.labels,
      serviceAccount: this.serviceAccount.name,
      permissions: this.permissions,
      watchedNamespaces: watched === 'Cluster' ? [] : watched.namespaces,
      extraRules: props.extraRules ?? {},
      metricsReaders: metrics?.secure === true ? metrics.readers : undefined,
    });
    this.clusterRole = this.#granted('cluster-role', cluster);
    const roles = [...byNamespace].flatMap(([place, granted]) => {
      const role = this.#granted('role', granted);
      return role === undefined ? [] : [[place, role] as const];
    });
    this.roles = new Map(roles);
    this.runtimeRole = this.#granted('role', runtime);
    this.#granted('metrics-reader', metricsReader);
  }

  #granted(id: string, granted: GrantedRole | undefined): ApiObject | undefined {
    if (granted === undefined) return undefined;
    const { role, binding } = granted;
    const { name, namespace } = role.metadata;
    const suffix = namespace === undefined ? '' : `-${namespace}.${name}`;
    const written = installedManifest(this, `${id}${suffix}`, role);
    if (binding !== undefined) installedManifest(this, `${id}-binding${suffix}`, binding);
    return written;
  }
}

function permissionsOptions(installation: Installation): PermissionsOptions {
  return {
    scope: installation.scope,
    ...(isSelective({ selector: installation.selectsLabels, fieldSelector: installation.selectsFields }) ? { isSelective: true } : {}),
    leaderElection: installation.leaseName === undefined ? false : { leaseName: installation.leaseName },
    certificates: certificatePermissions(installation),
    secureMetrics: installation.metrics?.secure === true,
    storedVersions: installation.storedVersions,
  };
}

function certificatePermissions({ certificates }: Installation): CertificatePermissions | undefined {
  if (certificates === undefined) return undefined;
  const { settings, source } = certificates;
  if (settings.mode === 'mounted') return { mode: typeof source === 'object' && 'certManager' in source ? 'certManager' : 'secret' };
  return selfManagedPermissions(settings);
}
