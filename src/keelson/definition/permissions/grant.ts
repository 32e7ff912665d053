import type { PolicyRule } from '@keelson/kubernetes/apimachinery';

/**
 * Where a right is bound: `cluster` by a ClusterRoleBinding, `watched` by a RoleBinding in each watched namespace, `own` by a RoleBinding in the
 * operator's namespace, `named` by a RoleBinding in each namespace that the declaration names.
 */
export type Placement = 'cluster' | 'watched' | 'own' | 'named';

/** One right and the declaration that asks for it. */
export interface Grant {
  readonly rule: PolicyRule;
  readonly placement: Placement;
  /** The namespaces of the placement `named`, sorted. */
  readonly namespaces?: readonly string[] | undefined;
  /** The declaration in words, for example `controller memcached owns deployments`. */
  readonly because: string;
}

/** How the operator gets its serving certificate: decides which rights the certificate needs. */
export type CertificatePermissions =
  | {
      /** The runtime issues the certificate, keeps it in a Secret and injects the CA. */
      readonly mode: 'selfManaged';
      readonly secretName: string;
      readonly mutatingWebhookConfigurations?: readonly string[] | undefined;
      readonly validatingWebhookConfigurations?: readonly string[] | undefined;
      /** CRDs with a conversion webhook, by full name (`memcacheds.cache.example.com`). */
      readonly customResourceDefinitions?: readonly string[] | undefined;
    }
  | { readonly mode: 'certManager' | 'secret' };

export interface PermissionsOptions {
  /**
   * Where the operator looks for its objects.
   * @defaultValue `'Cluster'`: an operator whose kinds are namespaced still serves every namespace, as its CRD does
   */
  readonly scope?: 'Cluster' | { readonly namespaces: readonly string[] } | undefined;
  /**
   * Whether the installation is for some of the objects only, by its selector. Objects that it gets from another one bring fields of that one's field manager.
   * @defaultValue `false`: whether a controller is, its definition says
   */
  readonly isSelective?: boolean | undefined;
  /**
   * The Lease that elects the leader; `false` when one replica runs without election.
   * @defaultValue a Lease named like the operator: replicas of one operator share it, two operators in one namespace do not
   */
  readonly leaderElection?: { readonly leaseName: string } | false | undefined;
  /** @defaultValue none: without webhooks and conversion there is no certificate */
  readonly certificates?: CertificatePermissions | undefined;
  /**
   * Whether the metrics endpoint asks the API server who calls (TokenReview) and whether they may (SubjectAccessReview).
   * @defaultValue `false`
   */
  readonly secureMetrics?: boolean | undefined;
  /**
   * Names of the CRDs (`memcacheds.cache.example.com`) whose stored objects the leader brings to the storage version.
   * @defaultValue none
   */
  readonly storedVersions?: readonly string[] | undefined;
}

/** Merged, sorted, minimal rules by placement, and the grants they were merged from. */
export interface Permissions {
  /** For a ClusterRole with a ClusterRoleBinding. */
  readonly cluster: readonly PolicyRule[];
  /** For a Role in each watched namespace; empty in cluster scope. */
  readonly watched: readonly PolicyRule[];
  /** For a Role in the operator's own namespace. */
  readonly own: readonly PolicyRule[];
  /** For a Role in each of these namespaces, by name: what declarations ask for there alone, and `cluster` and `watched` do not grant there already. */
  readonly named: Readonly<Record<string, readonly PolicyRule[]>>;
  readonly grants: readonly Grant[];
}
