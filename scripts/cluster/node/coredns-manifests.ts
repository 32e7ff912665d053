import type { Site } from './site.js';
import { COREDNS_IMAGE } from './system-images.js';

const COREFILE = `.:1053 {
  errors
  health :8080
  ready :8181
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    pods insecure
    ttl 2
  }
  cache {
    disable success cluster.local
    disable denial cluster.local
  }
  loadbalance
}
`;
const metadata = { name: 'coredns', namespace: 'kube-system' };
const labels = { 'k8s-app': 'kube-dns' };
const port = (name: string, protocol: string) => ({ name, protocol, port: 53, targetPort: 1053 });

/** Where an object is created. */
interface Creation {
  readonly path: string;
  readonly object: object;
}

const CORE = '/api/v1/namespaces/kube-system';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';

/** Cluster DNS, in the order of creation. It answers for the cluster alone. */
export function corednsManifests({ dnsAddress }: Site): readonly Creation[] {
  const at = (path: string, object: object): Creation => ({ path, object });
  return [
    at(`${CORE}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata }),
    at(`${RBAC}/clusterroles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'system:coredns' },
      rules: [
        { apiGroups: [''], resources: ['services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
        { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: ['list', 'watch'] },
      ],
    }),
    at(`${RBAC}/clusterrolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'system:coredns' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:coredns' },
      subjects: [{ kind: 'ServiceAccount', ...metadata }],
    }),
    at(`${CORE}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { Corefile: COREFILE } }),
    at(`${CORE}/services`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'kube-dns', namespace: 'kube-system' },
      spec: { clusterIP: dnsAddress, selector: labels, ports: [port('dns', 'UDP'), port('dns-tcp', 'TCP')] },
    }),
    at('/apis/apps/v1/namespaces/kube-system/deployments', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: POD } },
    }),
  ];
}

const POD = {
  serviceAccountName: 'coredns',
  // Its own resolver would be itself.
  dnsPolicy: 'Default',
  containers: [
    {
      name: 'coredns',
      image: COREDNS_IMAGE,
      imagePullPolicy: 'Never',
      args: ['-conf', '/etc/coredns/Corefile'],
      readinessProbe: { httpGet: { port: 8181, path: '/ready' }, periodSeconds: 1 },
      livenessProbe: { httpGet: { port: 8080, path: '/health' } },
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
        readOnlyRootFilesystem: true,
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      volumeMounts: [{ name: 'config', mountPath: '/etc/coredns', readOnly: true }],
    },
  ],
  volumes: [{ name: 'config', configMap: { name: 'coredns' } }],
};
