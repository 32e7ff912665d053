import { goQuote, quantityAmount } from '@keelson/kubernetes/apimachinery';
import { quantityOf } from '../../checks/index.js';
import type { Container, ContainerPort, EnvVar, PodSpec } from '../../drafts.js';
import { containersWithPaths } from './pod-spec-validation.js';

/**
 * The server's warnings about a pod or a template.
 *
 * Source: kubernetes `pkg/api/pod/warnings.go`. Left out: labels of nodes that are deprecated, paths that overlap within a volume, annotations for
 * seccomp and AppArmor.
 *
 * @param path `spec`, or `spec.template.spec` of what makes pods
 */
export function podSpecWarnings(spec: PodSpec, path: string): readonly string[] {
  const { terminationGracePeriodSeconds: period } = spec;
  const containers = containersWithPaths(spec, path);
  return [
    ...spreadWarnings(spec, path),
    ...volumeWarnings(spec, path),
    ...duplicateWarnings(spec, path),
    ...containers.flatMap(([container, field]) => [
      ...fractionWarnings(container, field),
      ...hiddenEnvWarnings(container.env ?? [], `${field}.env`),
    ]),
    ...portWarnings(containers),
    ...portNameWarnings(containers),
    ...(period !== undefined && period < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(spec, `${path}.affinity`),
  ];
}

const MATCHES_NOTHING = 'a null labelSelector results in matching no pod';

function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, path: string): readonly string[] {
  return topologySpreadConstraints.flatMap(({ labelSelector }, index) =>
    labelSelector === undefined ? [`${path}.topologySpreadConstraints[${index}].labelSelector: ${MATCHES_NOTHING}`] : [],
  );
}

const DEPRECATED_VOLUMES: Readonly<Record<string, readonly [name: string, text: string]>> = {
  photonPersistentDisk: ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  gitRepo: ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  scaleIO: ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  flocker: ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  storageos: ['storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  quobyte: ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  glusterfs: ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  cephfs: ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  rbd: ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
};

function volumeWarnings({ volumes = [] }: PodSpec, path: string): readonly string[] {
  return volumes.flatMap((volume, index) =>
    Object.entries(DEPRECATED_VOLUMES).flatMap(([source, [name, text]]) =>
      Object.hasOwn(volume, source) ? [`${path}.volumes[${index}].${name}: ${text}`] : [],
    ),
  );
}

function duplicateWarnings({ hostAliases = [], imagePullSecrets = [] }: PodSpec, path: string): readonly string[] {
  const repeated = (values: readonly string[], text: (index: number, value: string) => string): readonly string[] =>
    values.flatMap((value, index) => (values.indexOf(value) < index ? [text(index, value)] : []));
  const names = imagePullSecrets.map(({ name = '' }) => name);
  return [
    ...repeated(
      hostAliases.map(({ ip }) => ip),
      (index, ip) => `${path}.hostAliases[${index}].ip: duplicate ip ${goQuote(ip)}`,
    ),
    ...repeated(names, (index, name) => `${path}.imagePullSecrets[${index}].name: duplicate name ${goQuote(name)}`),
    ...names.flatMap((name, index) => (name === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [])),
  ];
}

function fractionWarnings({ resources }: Container, path: string): readonly string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    (['limits', 'requests'] as const).flatMap((kind) => {
      const amount = resources?.[kind]?.[name];
      if (amount === undefined || quantityAmount(quantityOf(amount), -3) % 1000n === 0n) return [];
      return [`${path}.resources.${kind}[${name}]: fractional byte value ${goQuote(String(amount))} is invalid, must be an integer`];
    }),
  );
}

/** A variable may be built on the one before of the same name. */
function hiddenEnvWarnings(env: readonly EnvVar[], path: string): readonly string[] {
  const names = env.map(({ name }) => name);
  return env.flatMap(({ name, value = '', valueFrom }, index) => {
    const reference = `$(${name})`;
    const isBuiltOn = valueFrom === undefined && value !== reference && value.includes(reference);
    if (names.indexOf(name) === index || isBuiltOn) return [];
    return [`${path}[${index}]: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`];
  });
}

type ContainersWithPaths = ReturnType<typeof containersWithPaths>;

function portWarnings(containers: ContainersWithPaths): readonly string[] {
  const known = new Map<string, (readonly [field: string, port: ContainerPort])[]>();
  return containers.flatMap(([{ ports = [] }, path]) =>
    ports.flatMap((port, index) => {
      const field = `${path}.ports[${index}]`;
      const key = `${port.containerPort}/${port.protocol ?? ''}`;
      const others = known.get(key) ?? [];
      const warnings = others.flatMap(([other, earlier]) => {
        const how = clash(port, earlier);
        return how === undefined ? [] : [`${field}: ${how} port definition with ${other}`];
      });
      known.set(key, [...others, [field, port]]);
      return warnings;
    }),
  );
}

function clash(left: ContainerPort, right: ContainerPort): string | undefined {
  const [host, otherHost] = [left.hostPort ?? 0, right.hostPort ?? 0];
  const [ip, otherIp] = [left.hostIP ?? '', right.hostIP ?? ''];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0 || otherHost === 0) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

function portNameWarnings(containers: ContainersWithPaths): readonly string[] {
  const known = new Map<string, string>();
  return containers.flatMap(([{ ports = [] }, path]) =>
    ports.flatMap(({ name = '' }, index) => {
      const field = `${path}.ports[${index}]`;
      const other = known.get(name);
      if (name === '') return [];
      if (other === undefined) {
        known.set(name, field);
        return [];
      }
      return [
        `${field}: duplicate port name ${goQuote(name)} with ${other}, services and probes that select ports by name will use ${other}`,
      ];
    }),
  );
}

function affinityWarnings({ affinity }: PodSpec, path: string): readonly string[] {
  const { podAffinity, podAntiAffinity } = affinity ?? {};
  return Object.entries({ podAffinity, podAntiAffinity }).flatMap(([name, terms]) => [
    ...(terms?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ labelSelector }, index) =>
      labelSelector === undefined
        ? [`${path}.${name}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${MATCHES_NOTHING}`]
        : [],
    ),
    ...(terms?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(({ podAffinityTerm }, index) =>
      podAffinityTerm.labelSelector === undefined
        ? [`${path}.${name}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm.labelSelector: ${MATCHES_NOTHING}`]
        : [],
    ),
  ]);
}
