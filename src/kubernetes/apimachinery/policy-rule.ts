/** A right in RBAC, as `rbac.authorization.k8s.io/v1` writes it. Either resources or non-resource URLs, never both. */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}
