import { readdirSync } from 'node:fs';
import { ApiObject, App, Chart, JsonPatch, Testing } from 'cdk8s';
import type { KindInfo } from 'keelson';
import {
  ConstructError,
  CustomResource,
  findResource,
  Operator,
  type OperatorProps,
  WebhookCertificates,
  WebhookConfigurations,
  WebhookService,
  warningsOf,
} from 'keelson/constructs';
import { ConfigMap, Namespace, Node, Pod } from 'keelson/kinds';
import { fullOperator, memcachedKind, plainOperator, poolKind, webhookOf } from './models';

const image = 'registry.example.com/memcached-operator:0.1.0';

interface AnyManifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

function manifestsOf(props: Partial<OperatorProps>): AnyManifest[] {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  new Operator(chart, 'operator', { operator: fullOperator, image, ...props });
  return chart.toJson() as AnyManifest[];
}

function deploymentOf(props: Partial<OperatorProps>) {
  return findResource(manifestsOf(props), 'Deployment').spec;
}

describe('apply order', () => {
  test('kinds come in the order in which they can be applied, samples last, and CRDs stay first though samples depend on them', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new Operator(chart, 'operator', { operator: fullOperator, image, createNamespace: true, certificates: { certManager: {} } });
    new CustomResource(chart, 'sample', { definition: memcachedKind, ...{ spec: {} } });
    const kinds = (chart.toJson() as AnyManifest[]).map(({ kind }) => kind);
    expect(kinds.lastIndexOf('CustomResourceDefinition')).toBeLessThan(kinds.indexOf('ServiceAccount'));
    const order = [...new Set(kinds)];
    expect(order).toEqual([
      'Namespace',
      'CustomResourceDefinition',
      'ServiceAccount',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role',
      'RoleBinding',
      'ValidatingAdmissionPolicy',
      'ValidatingAdmissionPolicyBinding',
      'Service',
      'Issuer',
      'Certificate',
      'Deployment',
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
      'Memcached',
    ]);
  });

  test('a sample that is created before the operator is written after its CRD', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new CustomResource(chart, 'sample', { definition: memcachedKind, ...{ spec: {} } });
    new Operator(chart, 'operator', { operator: plainOperator, image });
    const kinds = (chart.toJson() as AnyManifest[]).map(({ kind }) => kind);
    expect(kinds.indexOf('Memcached')).toBeGreaterThan(kinds.indexOf('CustomResourceDefinition'));
  });

  test('a sample in another chart makes no chart depend on another: cdk8s would number all files', () => {
    const app = new App({ outdir: Testing.app().outdir });
    new Operator(new Chart(app, 'operator', { namespace: 'system' }), 'operator', { operator: plainOperator, image });
    new CustomResource(new Chart(app, 'samples'), 'sample', { definition: memcachedKind, ...{ spec: {} } });
    app.synth();
    expect(readdirSync(app.outdir).sort()).toEqual(['operator.k8s.yaml', 'samples.k8s.yaml']);
  });
});

describe('the parts agree', () => {
  test('every reference finds its object', () => {
    const manifests = manifestsOf({ replicas: 2, networkPolicy: true, serviceMonitor: true, grafanaDashboard: true });
    const deployment = findResource(manifests, 'Deployment');
    const { selector, template } = deployment.spec;
    expect(template.metadata.labels).toMatchObject(selector.matchLabels);
    expect(findResource(manifests, 'ServiceAccount').metadata.name).toBe(template.spec.serviceAccountName);
    expect(findResource(manifests, 'PodDisruptionBudget').spec.selector.matchLabels).toEqual(selector.matchLabels);
    expect(findResource(manifests, 'NetworkPolicy').spec.podSelector.matchLabels).toEqual(selector.matchLabels);
    const service = findResource(manifests, 'Service', 'memcached-operator-webhook');
    const ports = template.spec.containers[0].ports as { name: string; containerPort: number }[];
    const port = ports.find(({ name }) => name === service.spec.ports[0].targetPort);
    expect(port?.containerPort).toBe(9443);
    expect(findResource(manifests, 'NetworkPolicy').spec.ingress).toContainEqual({ ports: [{ port: 9443, protocol: 'TCP' }] });
    for (const kind of ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']) {
      for (const webhook of findResource(manifests, kind).webhooks) {
        expect(webhook.clientConfig.service).toMatchObject({
          name: service.metadata.name,
          namespace: service.metadata.namespace,
          port: service.spec.ports[0].port,
        });
      }
    }
    const conversion = findResource(manifests, 'CustomResourceDefinition', 'pools.net.example.com').spec.conversion;
    expect(conversion.webhook.clientConfig.service.name).toBe(service.metadata.name);
    const metrics = findResource(manifests, 'Service', 'memcached-operator-metrics');
    expect(metrics.metadata.labels).toMatchObject(findResource(manifests, 'ServiceMonitor').spec.selector.matchLabels);
    expect(service.metadata.labels).not.toMatchObject(findResource(manifests, 'ServiceMonitor').spec.selector.matchLabels);
  });

  test('no private key and no certificate is in a manifest (H60)', () => {
    for (const certificates of ['selfManaged', { certManager: {} }] as const) {
      expect(JSON.stringify(manifestsOf({ certificates }))).not.toMatch(/PRIVATE KEY|"caBundle"|"kind":"Secret"/);
    }
  });

  test('PEM is encoded once, base64 of PEM not again (H60)', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n';
    const base64 = Buffer.from(pem).toString('base64');
    for (const caBundle of [pem, base64, base64.replace(/(.{10})/g, '$1\n')]) {
      const manifests = manifestsOf({ certificates: { secret: { name: 'tls', caBundle } } });
      expect(findResource(manifests, 'ValidatingWebhookConfiguration').webhooks[0].clientConfig.caBundle).toBe(base64);
      expect(
        findResource(manifests, 'CustomResourceDefinition', 'pools.net.example.com').spec.conversion.webhook.clientConfig.caBundle,
      ).toBe(base64);
    }
    expect(() => manifestsOf({ certificates: { secret: { name: 'tls', caBundle: 'tls.crt' } } })).toThrow(
      /caBundle is neither a PEM certificate nor base64/,
    );
  });

  test('with cert-manager the CA is injected wherever the API server calls us', () => {
    const manifests = manifestsOf({ certificates: { certManager: {} } });
    const annotated = manifests.filter((manifest) =>
      JSON.stringify(manifest.metadata).includes('"cert-manager.io/inject-ca-from":"system/memcached-operator-certificate"'),
    );
    expect(annotated.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'CustomResourceDefinition/pools.net.example.com',
      'MutatingWebhookConfiguration/memcached-operator',
      'ValidatingWebhookConfiguration/memcached-operator',
    ]);
    const deployment = findResource(manifests, 'Deployment');
    const certificate = findResource(manifests, 'Certificate', 'memcached-operator-certificate');
    expect(deployment.spec.template.spec.volumes[0].secret.secretName).toBe(certificate.spec.secretName);
    expect(certificate.spec.dnsNames).toContain('memcached-operator-webhook.system.svc');
  });

  test('an operator that serves nothing over TLS has no Service, certificate or configuration for it', () => {
    const text = JSON.stringify(manifestsOf({ operator: plainOperator, certificates: { certManager: {} }, metrics: { secure: false } }));
    expect(text).not.toMatch(/webhook|certificate/i);
  });

  test('secure metrics alone need a certificate', () => {
    const manifests = manifestsOf({ operator: plainOperator, certificates: { certManager: {} } });
    expect(findResource(manifests, 'Certificate', 'memcached-operator-certificate').spec.dnsNames).toEqual([
      'memcached-operator-metrics.system.svc',
      'memcached-operator-metrics.system.svc.cluster.local',
    ]);
  });
});

describe('metrics', () => {
  const portsOf = (props: Partial<OperatorProps>) =>
    findResource(manifestsOf({ operator: plainOperator, ...props }), 'Service', 'memcached-operator-metrics').spec.ports[0].port;

  test('are for whom the API server lets read them, unless the platform opens them', () => {
    expect(portsOf({})).toBe(8443);
    expect(portsOf({ metrics: {} })).toBe(8443);
    expect(portsOf({ metrics: { secure: false } })).toBe(8080);
    const open = JSON.stringify(manifestsOf({ operator: plainOperator, metrics: { secure: false } }));
    expect(open).not.toMatch(/tokenreviews|subjectaccessreviews|metrics-reader|METRICS_SECURE/);
    expect(JSON.stringify(manifestsOf({ operator: plainOperator, metrics: false }))).not.toMatch(/tokenreviews|metrics-reader|-metrics/);
  });

  test('readers are bound to the reading role', () => {
    const readers = [{ name: 'prometheus', namespace: 'monitoring' }];
    const manifests = manifestsOf({ operator: plainOperator, metrics: { readers } });
    expect(findResource(manifests, 'ClusterRoleBinding', 'memcached-operator-metrics-reader')).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: findResource(manifests, 'ClusterRole', 'memcached-operator-metrics-reader').metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' }],
    });
    expect(manifestsOf({}).filter(({ kind }) => kind === 'ClusterRoleBinding')).toHaveLength(1);
  });
});

describe('the pod', () => {
  test('the heap and its young generation are bound by the memory limit, unless NODE_OPTIONS is given or there is no limit', () => {
    const option = (props: Partial<OperatorProps>): unknown =>
      deploymentOf(props).template.spec.containers[0].env.find(({ name }: { name: string }) => name === 'NODE_OPTIONS')?.value;
    expect(option({})).toBe('--max-old-space-size=192 --max-semi-space-size=2');
    expect(option({ resources: { limits: { memory: '500M' } } })).toBe('--max-old-space-size=357 --max-semi-space-size=3');
    expect(option({ resources: {} })).toBeUndefined();
    expect(option({ env: { NODE_OPTIONS: '--heapsnapshot-signal=SIGUSR2' } })).toBe('--heapsnapshot-signal=SIGUSR2');
    expect(option({ resources: { limits: { memory: '1e9' } } })).toBe('--max-old-space-size=715 --max-semi-space-size=7');
    expect(option({ resources: { limits: { memory: '.5Gi' } } })).toBe('--max-old-space-size=384 --max-semi-space-size=4');
    expect(option({ resources: { limits: { memory: 268435456 } } })).toBe('--max-old-space-size=192 --max-semi-space-size=2');
    expect(option({ resources: { limits: { memory: '1Pi' } } })).toBe('--max-old-space-size=805306368 --max-semi-space-size=16');
    expect(() => option({ resources: { limits: { memory: '100m' } } })).toThrow(/memory '100m' is no amount of memory/);
    expect(() => option({ resources: { limits: { memory: 'much' } } })).toThrow(
      /chart\/operator\/deployment: resources\.limits\.memory 'much'/,
    );
  });

  test('one replica has no budget and no spread, two have both', () => {
    expect(manifestsOf({}).some(({ kind }) => kind === 'PodDisruptionBudget')).toBe(false);
    expect(deploymentOf({}).template.spec.topologySpreadConstraints).toBeUndefined();
    expect(manifestsOf({ replicas: 2 }).some(({ kind }) => kind === 'PodDisruptionBudget')).toBe(true);
    expect(deploymentOf({ replicas: 2 }).template.spec.topologySpreadConstraints).toHaveLength(2);
    expect(manifestsOf({ replicas: 2, podDisruptionBudget: false }).some(({ kind }) => kind === 'PodDisruptionBudget')).toBe(false);
  });

  test('without leader election two processes never run side by side', () => {
    expect(deploymentOf({ leaderElection: false }).strategy).toEqual({ type: 'Recreate' });
    expect(() => deploymentOf({ leaderElection: false, replicas: 2 })).toThrow(
      /2 replicas without leaderElection would all reconcile the same objects/,
    );
    expect(JSON.stringify(manifestsOf({ leaderElection: false }))).not.toMatch(/"leases"|LEASE/);
  });

  test('the version label is the tag, never a digest', () => {
    const version = (ref: string): unknown => deploymentOf({ image: ref }).template.metadata.labels['app.kubernetes.io/version'];
    expect(version('registry:5000/a/b')).toBeUndefined();
    expect(version('registry:5000/a/b:v1.2')).toBe('v1.2');
    expect(version('a/b@sha256:abcdef')).toBeUndefined();
    expect(version('a/b:v3@sha256:abcdef')).toBe('v3');
  });

  test('labels cannot break the selector', () => {
    const spec = deploymentOf({
      labels: { 'app.kubernetes.io/name': 'x' },
      podMetadata: { labels: { 'app.kubernetes.io/instance': 'y' } },
    });
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
  });

  test('a variable that is undefined is left out', () => {
    const { env } = deploymentOf({ env: { A: undefined, B: 'b' } }).template.spec.containers[0];
    expect(env.filter(({ name }: { name: string }) => name.length === 1)).toEqual([{ name: 'B', value: 'b' }]);
  });

  test('what Pod Security restricted would refuse gives a warning where the namespace enforces it', () => {
    const told = (props: Partial<OperatorProps>): string[] => {
      const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
      new Operator(chart, 'operator', { operator: plainOperator, image, createNamespace: true, ...props });
      return warningsOf(chart).map(({ path, message }) => `${path} ${message.split(', or the namespace')[0]}`);
    };
    const sidecar = { name: 'sidecar', image: 'a:1' };
    expect(told({})).toEqual([]);
    expect(told({ containers: [sidecar], initContainers: [{ ...sidecar, name: 'first' }] })).toEqual([
      "chart/operator/deployment container 'first': allowPrivilegeEscalation must be false",
      "chart/operator/deployment container 'first': capabilities.drop must hold 'ALL'",
      "chart/operator/deployment container 'sidecar': allowPrivilegeEscalation must be false",
      "chart/operator/deployment container 'sidecar': capabilities.drop must hold 'ALL'",
    ]);
    expect(told({ volumes: [{ name: 'node', hostPath: { path: '/' } }] })).toEqual([
      "chart/operator/deployment volume 'node' is of type hostPath",
    ]);
    expect(told({ podSecurityContext: { runAsNonRoot: undefined, seccompProfile: undefined }, securityContext: { runAsUser: 0 } })).toEqual(
      [
        "chart/operator/deployment container 'operator': runAsNonRoot must be true",
        "chart/operator/deployment container 'operator': runAsUser must not be 0",
        "chart/operator/deployment container 'operator': seccompProfile.type must be RuntimeDefault or Localhost",
      ],
    );
    expect(told({ containers: [sidecar], createNamespace: { podSecurity: 'baseline' } })).toEqual([]);
    expect(told({ containers: [sidecar], createNamespace: false })).toEqual([]);
  });

  test('an own ServiceAccount is bound and used, and none is created', () => {
    const manifests = manifestsOf({ serviceAccount: { name: 'platform' } });
    expect(manifests.some(({ kind }) => kind === 'ServiceAccount')).toBe(false);
    expect(findResource(manifests, 'ClusterRoleBinding').subjects).toEqual([
      { kind: 'ServiceAccount', name: 'platform', namespace: 'system' },
    ]);
    expect(findResource(manifests, 'Deployment').spec.template.spec.serviceAccountName).toBe('platform');
  });
});

describe('webhooks that fail closed (H59)', () => {
  const configure = (
    props: Partial<ConstructorParameters<typeof WebhookConfigurations>[2]>,
    change: Parameters<typeof webhookOf>[0] = {},
  ) => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    new WebhookConfigurations(chart, 'webhooks', { operator: { ...fullOperator, webhooks: [webhookOf(change)] }, ...props });
    return (chart.toJson() as { webhooks: { namespaceSelector?: unknown }[] }[])[0]?.webhooks[0];
  };

  const pods = { kind: Pod, resources: ['pods'], name: 'validating.pods.core' } as const;
  const exempt = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'system'] };

  test('on kinds of others leave out the own namespace and kube-system', () => {
    expect(configure({}, pods)?.namespaceSelector).toEqual({ matchExpressions: [exempt] });
    expect(configure({ exemptNamespaces: [] }, pods)?.namespaceSelector).toBeUndefined();
    expect(configure({}, { ...pods, failurePolicy: 'Ignore' })?.namespaceSelector).toBeUndefined();
  });

  test('on custom resources of the operator leave out nothing: no pod waits for them', () => {
    expect(configure({})?.namespaceSelector).toBeUndefined();
    expect(configure({}, { resources: ['memcacheds/status'] })?.namespaceSelector).toBeUndefined();
    const otherGroup = { ...memcachedKind, group: 'other.example.com' };
    expect(configure({}, { kind: otherGroup })?.namespaceSelector).toEqual({ matchExpressions: [exempt] });
  });

  test('leave out exactly the namespaces that are given, whosever kind it is', () => {
    const given = { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['a', 'b'] }] };
    expect(configure({ exemptNamespaces: ['b', 'a', 'b'] })?.namespaceSelector).toEqual(given);
    expect(configure({ exemptNamespaces: ['b', 'a'] }, pods)?.namespaceSelector).toEqual(given);
    expect(() => configure({ exemptNamespaces: ['A'] })).toThrow(/exemptNamespaces: 'A' must be/);
  });

  test('keep the selector of the author', () => {
    const namespaceSelector = { matchLabels: { team: 'a' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] } as const;
    expect(configure({}, { namespaceSelector })?.namespaceSelector).toEqual(namespaceSelector);
    expect(configure({}, { ...pods, namespaceSelector })?.namespaceSelector).toEqual({
      matchLabels: { team: 'a' },
      matchExpressions: [{ key: 'x', operator: 'Exists' }, exempt],
    });
  });

  test('warn of a cluster-scoped kind of others, which no namespace takes out', () => {
    const warnings = (kind: KindInfo, change: Parameters<typeof webhookOf>[0] = {}) => {
      const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
      const webhook = webhookOf({ kind, resources: [kind.plural], name: `validating.${kind.plural}.core`, ...change });
      new WebhookConfigurations(chart, 'webhooks', { operator: { ...fullOperator, webhooks: [webhook] } });
      return warningsOf(chart);
    };
    expect(warnings(Node)).toEqual([
      {
        path: 'chart/webhooks',
        message:
          'webhook validating.nodes.core fails closed on nodes, which are in no namespace that could be exempt: with the operator down nobody can ' +
          "write them, and what starts the operator may have to; narrow it with select or matchConditions, or set failurePolicy 'Ignore'",
      },
    ]);
    expect(warnings(Node, { failurePolicy: 'Ignore' })).toEqual([]);
    expect(warnings(Node, { objectSelector: { matchLabels: { gpu: 'yes' } } })).toEqual([]);
    expect(warnings(Node, { matchConditions: [{ name: 'gpu', expression: "'gpu' in object.metadata.labels" }] })).toEqual([]);
    // The API server matches a Namespace by its own labels, so the exempt ones are left out.
    expect(warnings(Namespace)).toEqual([]);
    expect(warnings(poolKind)).toEqual([]);
    expect(warnings(Pod)).toEqual([]);
  });

  test.each([
    ['group', { kind: { ...memcachedKind, group: '*' } }],
    ['version', { kind: { ...memcachedKind, version: '*' } }],
    ['resource', { resources: ['*'] }],
    ['subresource', { resources: ['pods/*'] }],
  ])('refuse a wildcard %s', (_name, change) => {
    expect(() => configure({}, change)).toThrow(/matches '.*\*' and fails closed: an operator that is down would stop the cluster/);
    expect(() => configure({}, { ...change, failurePolicy: 'Ignore' })).not.toThrow();
  });

  test('an installation for some namespaces judges these alone, and refuses to hold its own pods', () => {
    const scope = { namespaces: ['system', 'a'] };
    expect(configure({ scope })?.namespaceSelector).toEqual({
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: ['a', 'system'] }],
    });
    expect(() => configure({ scope }, { kind: Pod, resources: ['pods'] })).toThrow(/fails closed on pods in 'system'/);
    expect(() => configure({ scope: { namespaces: ['a'] } }, { kind: Pod, resources: ['pods'] })).not.toThrow();
  });

  test('a timeout that the API server refuses', () => {
    expect(() => configure({}, { timeoutSeconds: 31 })).toThrow(/timeoutSeconds is 31; the API server takes 1 to 30/);
  });
});

describe('scope', () => {
  test('rights on what is namespaced are granted in the named namespaces only', () => {
    const manifests = manifestsOf({ operator: plainOperator, scope: { namespaces: ['b', 'a'] }, metrics: { secure: false } });
    const bindings = manifests.filter(({ kind }) => kind === 'RoleBinding').map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    expect(bindings).toEqual(['a/memcached-operator', 'b/memcached-operator', 'system/memcached-operator-runtime']);
    expect(manifests.some(({ kind }) => kind === 'ClusterRoleBinding')).toBe(false);
  });

  test.each([
    [{ namespaces: [] }, /scope\.namespaces is empty/],
    [{ namespaces: ['a', 'a'] }, /scope\.namespaces: 'a' is named twice/],
    [{ namespaces: ['A'] }, /scope\.namespaces: 'A' must be/],
  ])('%j is refused', (scope, message) => {
    expect(() => manifestsOf({ scope })).toThrow(message);
  });
});

describe('mistakes are told with the path of the construct', () => {
  test('no namespace', () => {
    const chart = Testing.chart();
    expect(() => new Operator(chart, 'operator', { operator: fullOperator, image })).toThrow(
      /^test\/operator: no namespace: webhooks, bindings and certificates name/,
    );
  });

  test('errors carry a stable code', () => {
    const error = (() => {
      try {
        new Operator(Testing.chart(), 'operator', { operator: fullOperator, image });
      } catch (caught) {
        return caught;
      }
      return undefined;
    })();
    expect(error).toMatchObject({ code: 'KEELSON_CONSTRUCT', actor: 'author', path: 'test/operator', name: 'ConstructError' });
    expect(ConstructError.isOperatorError(error)).toBe(true);
  });

  test.each<[string, Partial<OperatorProps>, RegExp]>([
    ['a name too long for its Services', { name: 'a'.repeat(56) }, /must be at most 55 lower case letters/],
    ['a name with a dot', { name: 'a.b' }, /operator's name 'a\.b' must be/],
    ['an empty image', { image: ' ' }, /image ' ' is no image reference/],
    ['fractional replicas', { replicas: 1.5 }, /replicas is 1\.5/],
    [
      'a grace period that leaves no time to drain',
      { terminationGracePeriodSeconds: 5 },
      /terminationGracePeriodSeconds is 5; write more than 5/,
    ],
    [
      'a variable of the contract',
      { env: { KEELSON_LEASE_NAME: 'x' } },
      /env\.KEELSON_LEASE_NAME is written by keelson from the other settings/,
    ],
    ['a variable of the contract that this installation does not need', { env: { KEELSON_WATCH_NAMESPACES: 'x' } }, /env\.KEELSON_WATCH_/],
    ['a variable with =', { env: { 'A=B': 'x' } }, /env: 'A=B' is no name of a variable/],
    ['a number as a variable', { env: { N: 5 as never } }, /env\.N is a number; a variable holds text: write '5'/],
    ['no image', { image: undefined as never }, /chart\/operator\/deployment: image is missing; write registry\/name:tag/],
    ['no operator', { operator: undefined as never }, /chart\/operator: operator is no operator; pass what defineOperator returned/],
    [
      'unknown certificates',
      { certificates: 'certManager' as never },
      /certificates is "certManager"; write 'selfManaged', \{ certManager/,
    ],
    ['empty certificates', { certificates: {} as never }, /certificates is \{\}; write 'selfManaged'/],
    ['a Secret that cannot be', { certificates: { secret: { name: 'A B', caBundle: '' } } }, /certificates\.secret\.name: 'A B' must be/],
    ['days as a Go duration', { certificates: { certManager: { duration: '90d' } } }, /certManager\.duration: '90d' is no Go duration/],
    ['a life too short', { certificates: { certManager: { duration: '30m' } } }, /duration is 30m; cert-manager issues for 1h or more/],
    [
      'a renewal before the beginning',
      { certificates: { certManager: { duration: '24h', renewBefore: '36h30m' } } },
      /renewBefore is 36h30m; write 5m or more, and less than the duration \(24h\)/,
    ],
    ['a port out of range', { ports: { health: 0 } }, /ports\.health is 0; write a whole number from 1 to 65535/],
    ['two servers at one port', { ports: { webhook: 8081 } }, /ports\.webhook and ports\.health are both 8081/],
    ['a lease that cannot be', { leaderElection: { leaseName: 'A_b' } }, /leaderElection\.leaseName: 'A_b' must be/],
    [
      'readers of what everybody may read',
      { metrics: { secure: false, readers: [{ name: 'a', namespace: 'b' }] } },
      /metrics\.readers are given, but metrics\.secure is false/,
    ],
    [
      'a reader without a namespace',
      { metrics: { readers: [{ name: 'a' } as never] } },
      /metrics\.readers: 'undefined\/a' is no ServiceAccount/,
    ],
    ['an unknown log level', { logLevel: 'loud' as never }, /logLevel 'loud' is unknown; write one of fatal, error, warn/],
    ['a ServiceAccount without a name', { serviceAccount: {} as never }, /serviceAccount\.name: '' must be/],
    ['a label that cannot be', { podMetadata: { labels: { a: 'b c' } } }, /podMetadata\.labels\.a: 'b c' must be/],
    ['a second container of our name', { containers: [{ name: 'operator' }] }, /two containers of the pod are called 'operator'/],
    ['a second volume of our name', { volumes: [{ name: 'tmp', emptyDir: {} }] }, /two volumes of the pod are called 'tmp'/],
    [
      'a mount of nothing',
      { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      /container 'operator' mounts the volume 'data', which the pod does not have \(it has tmp\)/,
    ],
    [
      'a second mount of /tmp',
      { volumes: [{ name: 't', emptyDir: {} }], volumeMounts: [{ name: 't', mountPath: '/tmp' }] },
      /mounts two volumes at \/tmp; with temporaryDirectory: false the place is yours/,
    ],
    [
      'a negative budget',
      { podDisruptionBudget: { maxUnavailable: -1 } },
      /maxUnavailable is -1; write a whole number, or a share such as 50%/,
    ],
    ['a budget of too much', { podDisruptionBudget: { maxUnavailable: '150%' } }, /maxUnavailable is 150%/],
    ['a budget that blocks drains', { podDisruptionBudget: { maxUnavailable: 0 } }, /maxUnavailable 0 would block every node drain/],
    [
      'a moved part',
      { networkPolicy: { metadata: { namespace: 'x' } } },
      /metadata\.namespace is 'x', but the operator's namespace is 'system'/,
    ],
    [
      'a renamed part',
      { networkPolicy: { metadata: { name: 'x' } } },
      /metadata\.name is 'x', but the other parts call it 'memcached-operator'/,
    ],
    ['a monitor without metrics', { metrics: false, serviceMonitor: true }, /metrics is false: there is nothing to scrape/],
  ])('%s', (_name, props, message) => {
    expect(() => manifestsOf(props)).toThrow(message);
  });

  test('parts that nobody would answer for', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
    expect(() => new WebhookService(chart, 'service', { operator: plainOperator })).toThrow(/no webhooks and no conversions/);
    expect(() => new WebhookCertificates(chart, 'certificates', { operator: plainOperator, metrics: false })).toThrow(
      /serves nothing over TLS/,
    );
  });

  test('two installations of one name in one app', () => {
    const app = Testing.app();
    const props = { operator: plainOperator, image, crds: false, aggregateRoles: false } as const;
    new Operator(new Chart(app, 'a', { namespace: 'a' }), 'operator', props);
    new Operator(new Chart(app, 'b', { namespace: 'b' }), 'operator', props);
    expect(() => app.synthYaml()).toThrow(/both write ClusterRole 'memcached-operator'.*\(of an Operator: another `name`, and/);
  });
});

describe('as cdk8s citizens', () => {
  test('chart labels and the escape hatches reach every part', () => {
    const chart = new Chart(Testing.app(), 'chart', { namespace: 'system', labels: { tier: 'a' } });
    const operator = new Operator(chart, 'operator', { operator: fullOperator, image });
    expect(ApiObject.of(operator).kind).toBe('Deployment');
    ApiObject.of(operator.deployment).addJsonPatch(JsonPatch.replace('/spec/replicas', 0));
    ApiObject.of(operator.crds.get('memcacheds.cache.example.com') as never).metadata.addAnnotation('argocd.argoproj.io/sync-wave', '-1');
    const manifests = chart.toJson() as AnyManifest[];
    expect(findResource(manifests, 'Deployment').spec.replicas).toBe(0);
    expect(findResource(manifests, 'CustomResourceDefinition', 'memcacheds.cache.example.com').metadata.annotations).toEqual({
      'argocd.argoproj.io/sync-wave': '-1',
    });
    for (const manifest of manifests) expect(manifest.metadata).toMatchObject({ labels: { tier: 'a' } });
  });

  test('CRDs can live in a chart of their own (H50)', () => {
    const app = Testing.app();
    const crds = new Chart(app, 'crds');
    const system = new Chart(app, 'system', { namespace: 'system' });
    new Operator(system, 'operator', { operator: fullOperator, image, crds: { scope: crds } });
    expect((crds.toJson() as AnyManifest[]).map(({ kind }) => kind)).toEqual(['CustomResourceDefinition', 'CustomResourceDefinition']);
    expect((system.toJson() as AnyManifest[]).some(({ kind }) => kind === 'CustomResourceDefinition')).toBe(false);
    app.synth();
    expect(readdirSync(app.outdir).sort()).toEqual(['crds.k8s.yaml', 'system.k8s.yaml']);
  });

  test('a built-in kind as a construct: fields beside spec, typed by the kind', () => {
    const chart = Testing.chart();
    new CustomResource(chart, 'settings', { definition: ConfigMap, metadata: { name: 'settings' }, data: { a: '1' } });
    expect(Testing.synth(chart)).toEqual([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { a: '1' } }]);
  });
});
