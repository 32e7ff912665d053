import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  type CertificatePermissions,
  mergeRules,
  type Permissions,
  type PermissionsOptions,
  permissionsOf,
  RUNTIME_CONTRACT,
} from '../../definition/index.js';
import type { PolicyRule } from '../../kubernetes/index.js';
import {
  type Installation,
  type InstallationPart,
  installationOfPart,
  type NamedReference,
  type ServiceAccountReference,
} from '../installation/index.js';
import { ManifestObject } from '../object/index.js';
import { OperatorServiceAccount } from './operator-service-account.js';

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const RBAC = `${RBAC_GROUP}/v1`;

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
    this.clusterRole = this.#clusterRole(name, mergeRules([...this.permissions.cluster, ...(props.extraRules?.cluster ?? [])]));
    const roles = new Map<string, ApiObject>();
    const watched = this.#installation.scope === 'Cluster' ? [] : this.#installation.scope.namespaces;
    const { named } = this.permissions;
    for (const place of [...new Set([...watched, ...Object.keys(named)])].sort()) {
      const role = this.#role(
        name,
        place,
        mergeRules([...(watched.includes(place) ? this.permissions.watched : []), ...(named[place] ?? [])]),
      );
      if (role !== undefined) roles.set(place, role);
    }
    this.roles = roles;
    this.runtimeRole = this.#role(names.runtimeRole, namespace, mergeRules([...this.permissions.own, ...(props.extraRules?.own ?? [])]));
    if (this.#installation.metrics?.secure === true) this.#metricsReader(this.#installation.metrics.readers);
  }

  #clusterRole(name: string, rules: readonly PolicyRule[]): ApiObject | undefined {
    if (rules.length === 0) return undefined;
    const { labels } = this.#installation;
    const role = new ManifestObject(this, 'cluster-role', {
      apiVersion: RBAC,
      kind: 'ClusterRole',
      scope: 'Cluster',
      metadata: { name, labels },
      body: { rules },
    });
    new ManifestObject(this, 'cluster-role-binding', {
      apiVersion: RBAC,
      kind: 'ClusterRoleBinding',
      scope: 'Cluster',
      metadata: { name, labels },
      body: { roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name }, subjects: [this.#subject()] },
    });
    return role;
  }

  #role(name: string, namespace: string, rules: readonly PolicyRule[]): ApiObject | undefined {
    if (rules.length === 0) return undefined;
    const metadata = { name, namespace, labels: this.#installation.labels };
    const id = `${namespace}.${name}`;
    const role = new ManifestObject(this, `role-${id}`, { apiVersion: RBAC, kind: 'Role', scope: 'Namespaced', metadata, body: { rules } });
    new ManifestObject(this, `role-binding-${id}`, {
      apiVersion: RBAC,
      kind: 'RoleBinding',
      scope: 'Namespaced',
      metadata,
      body: { roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name }, subjects: [this.#subject()] },
    });
    return role;
  }

  #metricsReader(readers: readonly ServiceAccountReference[]): void {
    const metadata = { name: this.#installation.names.metricsReader, labels: this.#installation.labels };
    new ManifestObject(this, 'metrics-reader', {
      apiVersion: RBAC,
      kind: 'ClusterRole',
      scope: 'Cluster',
      metadata,
      body: { rules: [{ nonResourceURLs: [RUNTIME_CONTRACT.paths.metrics], verbs: ['get'] }] },
    });
    if (readers.length === 0) return;
    new ManifestObject(this, 'metrics-reader-binding', {
      apiVersion: RBAC,
      kind: 'ClusterRoleBinding',
      scope: 'Cluster',
      metadata,
      body: {
        roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: metadata.name },
        subjects: readers.map(({ name, namespace }) => ({ kind: 'ServiceAccount', name, namespace })),
      },
    });
  }

  #subject(): object {
    return { kind: 'ServiceAccount', name: this.serviceAccount.name, namespace: this.#installation.namespace };
  }
}

function permissionsOptions(installation: Installation): PermissionsOptions {
  return {
    scope: installation.scope,
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
  return {
    mode: 'selfManaged',
    secretName: settings.secretName,
    mutatingWebhookConfigurations: settings.mutatingConfiguration === undefined ? [] : [settings.mutatingConfiguration],
    validatingWebhookConfigurations: settings.validatingConfiguration === undefined ? [] : [settings.validatingConfiguration],
    customResourceDefinitions: settings.conversionCrds,
  };
}
