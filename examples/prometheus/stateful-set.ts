import { type Container, type EnvVar, StatefulSet, type Volume } from 'keelson/kinds';
import { ASSETS_PATH } from './assets.js';
import type { Prometheus } from './kinds.js';
import * as names from './names.js';

const PORT = 9090;
const CONFIG_PATH = '/etc/prometheus/config';
const CONFIG_OUT_PATH = '/etc/prometheus/config_out';
const WEB_CONFIG_PATH = '/etc/prometheus/web_config';
const STORAGE_PATH = '/prometheus';

/** Images from the settings of the operator. */
export interface Images {
  readonly prometheusImage: string;
  readonly configReloaderImage: string;
}

export interface StatefulSetParts {
  readonly prometheus: Prometheus;
  readonly shard: number;
  readonly ruleParts: number;
  readonly images: Images;
}

/** Below 0 means 1. */
export function replicasOf({ spec }: Prometheus): number {
  return spec.replicas < 0 ? 1 : spec.replicas;
}

// #region stateful-set
/** The Pods of one shard. Configuration and rules are not part of it: they change without any Pod being made anew. */
export function statefulSetFor(parts: StatefulSetParts): StatefulSet {
  const { prometheus, shard } = parts;
  const { metadata, spec } = prometheus;
  const name = names.statefulSetName(metadata.name, shard);
  const selector = { ...names.objectLabels(metadata.name), [names.SHARD_LABEL]: String(shard) };
  const claim = spec.storage?.volumeClaimTemplate;
  return StatefulSet({
    metadata: { name, labels: { ...metadata.labels, ...selector }, annotations: copiedAnnotations(metadata.annotations) },
    spec: {
      serviceName: spec.serviceName ?? names.GOVERNING_SERVICE,
      replicas: replicasOf(prometheus),
      selector: { matchLabels: selector },
      podManagementPolicy: spec.podManagementPolicy,
      // The API server leaves a 0 out.
      ...(spec.minReadySeconds === 0 ? {} : { minReadySeconds: spec.minReadySeconds }),
      updateStrategy: { type: 'RollingUpdate' },
      template: {
        metadata: {
          labels: { ...spec.podMetadata?.labels, ...selector },
          annotations: { 'kubectl.kubernetes.io/default-container': 'prometheus', ...spec.podMetadata?.annotations },
        },
        spec: {
          ...(spec.serviceAccountName === undefined ? {} : { serviceAccountName: spec.serviceAccountName }),
          terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
          securityContext: spec.securityContext ?? {
            runAsNonRoot: true,
            runAsUser: 1000,
            fsGroup: 2000,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          ...(spec.nodeSelector === undefined ? {} : { nodeSelector: spec.nodeSelector }),
          ...(spec.tolerations === undefined ? {} : { tolerations: spec.tolerations }),
          initContainers: [reloader(parts, 'init-config-reloader', ['--watch-interval=0'])],
          containers: [
            prometheusContainer(parts),
            reloader(parts, 'config-reloader', [`--reload-url=${schemeOf(prometheus).toLowerCase()}://127.0.0.1:${PORT}/-/reload`]),
          ],
          volumes: volumesOf(parts),
        },
      },
      ...(claim === undefined
        ? {}
        : {
            volumeClaimTemplates: [{ metadata: { ...claim.metadata, name: dataVolume(prometheus) }, spec: claim.spec }],
          }),
    },
  });
}
// #endregion

/** Annotations of tools are about the object that they stand on. */
function copiedAnnotations(annotations: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations).filter(
      ([name]) => !name.startsWith('kubectl.kubernetes.io/') && !name.startsWith('operator.prometheus.io/'),
    ),
  );
}

const schemeOf = ({ spec }: Prometheus): 'HTTP' | 'HTTPS' => (spec.web?.tlsConfig === undefined ? 'HTTP' : 'HTTPS');

const dataVolume = ({ metadata: { name }, spec }: Prometheus): string =>
  spec.storage?.volumeClaimTemplate?.metadata?.name ?? `prometheus-${name}-db`;

const locked = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true };

function prometheusContainer({ prometheus, images, ruleParts }: StatefulSetParts): Container {
  const { spec } = prometheus;
  const retention = spec.retention ?? (spec.retentionSize === undefined ? '24h' : undefined);
  const probe = (path: string) => ({ httpGet: { path, port: 'web', scheme: schemeOf(prometheus) }, timeoutSeconds: 3 });
  return {
    name: 'prometheus',
    image: spec.image ?? `${images.prometheusImage}:${spec.version}`,
    args: [
      `--config.file=${CONFIG_OUT_PATH}/prometheus.env.yaml`,
      '--web.enable-lifecycle',
      '--web.route-prefix=/',
      `--web.config.file=${WEB_CONFIG_PATH}/web-config.yaml`,
      `--web.listen-address=0.0.0.0:${PORT}`,
      `--storage.tsdb.path=${STORAGE_PATH}`,
      ...(retention === undefined ? [] : [`--storage.tsdb.retention.time=${retention}`]),
      ...(spec.retentionSize === undefined ? [] : [`--storage.tsdb.retention.size=${spec.retentionSize}`]),
    ],
    ports: [{ name: 'web', containerPort: PORT }],
    startupProbe: { ...probe('/-/ready'), periodSeconds: 15, failureThreshold: 60 },
    readinessProbe: { ...probe('/-/ready'), periodSeconds: 5, failureThreshold: 3 },
    livenessProbe: { ...probe('/-/healthy'), periodSeconds: 5, failureThreshold: 6 },
    securityContext: locked,
    ...(spec.resources === undefined ? {} : { resources: spec.resources }),
    volumeMounts: [
      { name: 'config-out', mountPath: CONFIG_OUT_PATH, readOnly: true },
      { name: 'tls-assets', mountPath: ASSETS_PATH, readOnly: true },
      { name: 'web-config', mountPath: WEB_CONFIG_PATH, readOnly: true },
      // A claim may be shared with older data: Prometheus has a folder of its own in it.
      {
        name: dataVolume(prometheus),
        mountPath: STORAGE_PATH,
        ...(spec.storage?.volumeClaimTemplate === undefined ? {} : { subPath: 'prometheus-db' }),
      },
      ...ruleMounts(prometheus, ruleParts),
    ],
  };
}

/** Unpacks the configuration and fills in what differs from Pod to Pod; the one that goes on running has Prometheus load it whenever it changes. */
function reloader({ prometheus, images, ruleParts, shard }: StatefulSetParts, name: string, args: readonly string[]): Container {
  const env: EnvVar[] = [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'SHARD', value: String(shard) },
  ];
  return {
    name,
    image: images.configReloaderImage,
    args: [
      `--config-file=${CONFIG_PATH}/${names.CONFIG_FILE}`,
      `--config-envsubst-file=${CONFIG_OUT_PATH}/prometheus.env.yaml`,
      ...ruleMounts(prometheus, ruleParts).map(({ mountPath }) => `--watched-dir=${mountPath}`),
      ...args,
    ],
    env,
    securityContext: locked,
    volumeMounts: [
      { name: 'config', mountPath: CONFIG_PATH, readOnly: true },
      { name: 'config-out', mountPath: CONFIG_OUT_PATH },
      ...ruleMounts(prometheus, ruleParts),
    ],
  };
}

function ruleNames({ metadata }: Prometheus, ruleParts: number): string[] {
  return Array.from({ length: ruleParts }, (_, index) => names.ruleConfigMapName(metadata.name, index));
}

function ruleMounts(prometheus: Prometheus, ruleParts: number) {
  return ruleNames(prometheus, ruleParts).map((name) => ({ name, mountPath: `${names.CONTAINER_RULES_PATH}/${name}`, readOnly: true }));
}

function volumesOf({ prometheus, ruleParts }: StatefulSetParts): Volume[] {
  const { metadata, spec } = prometheus;
  return [
    { name: 'config', secret: { secretName: names.configSecretName(metadata.name) } },
    { name: 'tls-assets', projected: { sources: [{ secret: { name: names.assetsSecretName(metadata.name) } }] } },
    { name: 'config-out', emptyDir: { medium: 'Memory' } },
    { name: 'web-config', secret: { secretName: names.webConfigSecretName(metadata.name) } },
    ...ruleNames(prometheus, ruleParts).map((name) => ({ name, configMap: { name } })),
    ...(spec.storage?.volumeClaimTemplate === undefined ? [{ name: dataVolume(prometheus), emptyDir: spec.storage?.emptyDir ?? {} }] : []),
  ];
}
