import type {
  Container,
  EnvVar,
  PodSecurityContext,
  Probe,
  SecurityContext,
  TopologySpreadConstraint,
  Volume,
} from '@keelson/kubernetes/kinds';
import type { Construct } from 'constructs';
import { RUNTIME_CONTRACT, runtimeEnvironment } from '../../definition/index.js';
import { type Installation, runtimeSettingsFor } from '../installation/index.js';
import { ConstructError, serviceAccountName } from '../object/index.js';
import { heapMegabytes, nodeOptions } from './memory-limit.js';
import type { EnvironmentValue, OperatorPodProps } from './operator-pod-props.js';
import { checkPodParts, checkPodProps } from './pod-checks.js';
import type { SecuredPod } from './pod-security.js';
import { settingVariables } from './setting-variables.js';

/** The unprivileged user of distroless images; an explicit uid, because the kubelet cannot prove that a *named* user is not root. */
const NONROOT_UID = 65_532;

const POD_SECURITY_CONTEXT: PodSecurityContext = {
  fsGroup: NONROOT_UID,
  runAsGroup: NONROOT_UID,
  runAsNonRoot: true,
  runAsUser: NONROOT_UID,
  seccompProfile: { type: 'RuntimeDefault' },
};

const CONTAINER_SECURITY_CONTEXT: SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
};

const DEFAULT_RESOURCES = { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '256Mi' } } as const;

const CONTAINER_NAME = 'operator';

interface PodTemplate {
  readonly metadata: object;
  readonly spec: SecuredPod & Readonly<Record<string, unknown>>;
}

/** The pod template of the operator's Deployment; fields that are `undefined` are not written. */
export function podTemplate(scope: Construct, installation: Installation, props: OperatorPodProps): PodTemplate {
  checkPodProps(scope, props);
  const certificate = mountedCertificate(installation);
  const temporary = props.temporaryDirectory ?? true;
  const containers = [operatorContainer(scope, installation, props), ...(props.containers ?? [])];
  const volumes: Volume[] = [
    ...(certificate === undefined ? [] : [{ name: 'certificate', secret: { secretName: certificate.secretName, defaultMode: 0o440 } }]),
    ...clientAuthorityVolume(installation),
    ...(temporary ? [{ name: 'tmp', emptyDir: { sizeLimit: '64Mi' } }] : []),
    ...(props.volumes ?? []),
  ];
  checkPodParts(scope, [...containers, ...(props.initContainers ?? [])], volumes);
  return {
    metadata: {
      // No label with the version: a tool that changes the image, and nothing else, would leave it wrong.
      labels: { ...installation.labels, ...props.podMetadata?.labels, ...installation.selector },
      annotations: { 'kubectl.kubernetes.io/default-container': CONTAINER_NAME, ...props.podMetadata?.annotations },
    },
    spec: {
      affinity: props.affinity,
      automountServiceAccountToken: true,
      containers,
      enableServiceLinks: false, // a variable per Service of the namespace would be noise, and a way to shadow ours
      imagePullSecrets: listOrNothing(props.imagePullSecrets?.map(({ name }) => ({ name }))),
      initContainers: listOrNothing(props.initContainers),
      nodeSelector: props.nodeSelector,
      priorityClassName: props.priorityClassName,
      securityContext: { ...POD_SECURITY_CONTEXT, ...props.podSecurityContext },
      serviceAccountName: props.serviceAccount === undefined ? installation.name : serviceAccountName(scope, props.serviceAccount),
      terminationGracePeriodSeconds: graceSeconds(props),
      tolerations: listOrNothing(props.tolerations),
      topologySpreadConstraints: props.topologySpreadConstraints ?? ((props.replicas ?? 1) > 1 ? spread(installation) : undefined),
      volumes: listOrNothing(volumes),
    },
  };
}

function operatorContainer(scope: Construct, installation: Installation, props: OperatorPodProps): Container {
  const certificate = mountedCertificate(installation);
  const { portNames } = RUNTIME_CONTRACT;
  return {
    name: CONTAINER_NAME,
    image: props.image,
    imagePullPolicy: props.imagePullPolicy,
    command: props.command === undefined ? undefined : [...props.command],
    args: props.args === undefined ? undefined : [...props.args],
    env: environment(scope, installation, props),
    envFrom: props.envFrom === undefined ? undefined : [...props.envFrom],
    ports: [
      { name: portNames.health, containerPort: installation.ports.health, protocol: 'TCP' },
      ...(installation.metrics === undefined
        ? []
        : [{ name: portNames.metrics, containerPort: installation.metrics.port, protocol: 'TCP' as const }]),
      ...(installation.hasWebhookServer
        ? [{ name: portNames.webhook, containerPort: installation.ports.webhook, protocol: 'TCP' as const }]
        : []),
      ...installation.endpoints.map(({ name, port }) => ({ name, containerPort: port, protocol: 'TCP' as const })),
    ],
    // Asked often, so that the Pod is ready as soon as the process is: a readiness probe alone would see that up to ten seconds later.
    startupProbe: probe(RUNTIME_CONTRACT.paths.startup, { periodSeconds: 1, failureThreshold: 60 }, props.probes?.startup),
    livenessProbe: probe(RUNTIME_CONTRACT.paths.liveness, { initialDelaySeconds: 15, periodSeconds: 20 }, props.probes?.liveness),
    readinessProbe: probe(RUNTIME_CONTRACT.paths.readiness, { periodSeconds: 10 }, props.probes?.readiness),
    resources: props.resources ?? DEFAULT_RESOURCES,
    securityContext: { ...CONTAINER_SECURITY_CONTEXT, ...props.securityContext },
    volumeMounts: [
      ...(certificate === undefined ? [] : [{ name: 'certificate', mountPath: RUNTIME_CONTRACT.certificateDirectory, readOnly: true }]),
      ...clientAuthorityVolume(installation).map(({ name }) => ({
        name,
        mountPath: RUNTIME_CONTRACT.clientAuthority.directory,
        readOnly: true,
      })),
      ...((props.temporaryDirectory ?? true) ? [{ name: 'tmp', mountPath: RUNTIME_CONTRACT.temporaryDirectory }] : []),
      ...(props.volumeMounts ?? []),
    ],
  };
}

function environment(scope: Construct, installation: Installation, props: OperatorPodProps): EnvVar[] {
  const names = RUNTIME_CONTRACT.env;
  const settings = runtimeEnvironment(runtimeSettingsFor(installation, graceSeconds(props) - RUNTIME_CONTRACT.shutdown.marginSeconds));
  const heap = heapMegabytes(scope, (props.resources ?? DEFAULT_RESOURCES).limits?.['memory']);
  const variables: EnvVar[] = [
    // With the version that the API server would fill in: a fieldRef is one value to server-side apply, which would see a conflict with an earlier applier.
    { name: names.podName, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    { name: names.podNamespace, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } } },
    ...Object.entries(settings).map(([name, value]) => ({ name, value })),
  ];
  const given = props.env ?? {};
  if (heap !== undefined && !Object.hasOwn(given, 'NODE_OPTIONS')) variables.push({ name: 'NODE_OPTIONS', value: nodeOptions(heap) });
  for (const { name, value, valueFrom } of settingVariables(scope, installation.model, props)) {
    if (Object.hasOwn(given, name)) throw new ConstructError(scope, `env.${name} holds a setting that settings gives too; leave one out`);
    variables.push({ name, value, valueFrom: valueFrom as EnvVar['valueFrom'] });
  }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) variables.push(variable(name, value));
  return variables;
}

function variable(name: string, given: EnvironmentValue): EnvVar {
  if (typeof given === 'string') return { name, value: given };
  // Read field by field: an EnvValue of cdk8s-plus is a class instance and would not be written as it is.
  return { name, value: given.value as string | undefined, valueFrom: given.valueFrom as EnvVar['valueFrom'] };
}

function probe(path: string, timing: Partial<Probe>, given: Partial<Probe> | undefined): Probe {
  return { httpGet: { path, port: RUNTIME_CONTRACT.portNames.health }, timeoutSeconds: 5, failureThreshold: 3, ...timing, ...given };
}

function graceSeconds(props: OperatorPodProps): number {
  const { drainSeconds, marginSeconds } = RUNTIME_CONTRACT.shutdown;
  return props.terminationGracePeriodSeconds ?? drainSeconds + marginSeconds;
}

function clientAuthorityVolume({ webhookClientAuthority: source }: Installation): Volume[] {
  if (source === undefined) return [];
  const { file } = RUNTIME_CONTRACT.clientAuthority;
  const items = [{ key: source.key ?? file, path: file }];
  const name = 'client-authority';
  return 'configMap' in source
    ? [{ name, configMap: { name: source.configMap, items } }]
    : [{ name, secret: { secretName: source.secret, defaultMode: 0o440, items } }];
}

function mountedCertificate({ certificates }: Installation): { readonly secretName: string } | undefined {
  return certificates?.settings.mode === 'mounted' ? { secretName: certificates.secretName } : undefined;
}

/** Soft, so that a one-node cluster still runs all replicas; per revision, so that a rollout is spread as well. */
function spread({ selector }: Installation): TopologySpreadConstraint[] {
  return ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: { ...selector } },
    matchLabelKeys: ['pod-template-hash'],
  }));
}

function listOrNothing<T>(items: readonly T[] | undefined): readonly T[] | undefined {
  return items === undefined || items.length === 0 ? undefined : items;
}
