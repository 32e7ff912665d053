import { type OperatorModel, permissionsOf, RUNTIME_CONTRACT } from '../../../definition/index.js';
import type { PolicyRule } from '../../../kubernetes/index.js';
import { convertedResources, hasWebhookServer, type OperatorNames } from '../operator-names.js';

const GROUP = 'rbac.authorization.k8s.io';
const API_VERSION = `${GROUP}/v1`;

interface RoleObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** The rights that the operator's definition declares, granted to its ServiceAccount: the roles that its manifests will have, in an installation without options. */
export function operatorRoles(operator: OperatorModel, names: OperatorNames): readonly RoleObject[] {
  const { name, namespace, runtimeRole, metricsReader, certificate } = names;
  const has = (type: 'mutating' | 'validating'): boolean => operator.webhooks.some((webhook) => webhook.type === type);
  const permissions = permissionsOf(operator, {
    scope: 'Cluster',
    leaderElection: { leaseName: name },
    // Metrics are served over TLS, so that there is a certificate in any case; it is only written into configurations where there are webhooks.
    certificates: {
      mode: 'selfManaged',
      secretName: certificate,
      mutatingWebhookConfigurations: has('mutating') ? [name] : [],
      validatingWebhookConfigurations: has('validating') ? [name] : [],
      customResourceDefinitions: hasWebhookServer(operator)
        ? convertedResources(operator).map(({ plural, group }) => `${plural}.${group}`)
        : [],
    },
    secureMetrics: true,
  });
  return [
    ...granted('Cluster', { name }, { rules: permissions.cluster, names }),
    ...granted('', { name: runtimeRole, namespace }, { rules: permissions.own, names }),
    ...Object.entries(permissions.named).flatMap(([place, rules]) => granted('', { name, namespace: place }, { rules, names })),
    role('ClusterRole', { name: metricsReader }, [{ nonResourceURLs: [RUNTIME_CONTRACT.paths.metrics], verbs: ['get'] }]),
  ];
}

interface Granted {
  readonly rules: readonly PolicyRule[];
  readonly names: OperatorNames;
}

function granted(prefix: 'Cluster' | '', metadata: RoleObject['metadata'], { rules, names }: Granted): readonly RoleObject[] {
  if (rules.length === 0) return [];
  const binding = {
    apiVersion: API_VERSION,
    kind: `${prefix}RoleBinding`,
    metadata,
    roleRef: { apiGroup: GROUP, kind: `${prefix}Role`, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', name: names.name, namespace: names.namespace }],
  };
  return [role(`${prefix}Role`, metadata, rules), binding];
}

function role(
  kind: string,
  metadata: RoleObject['metadata'],
  rules: readonly PolicyRule[],
): RoleObject & { readonly rules: readonly PolicyRule[] } {
  return { apiVersion: API_VERSION, kind, metadata, rules };
}
