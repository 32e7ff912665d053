import type { LifecycleHandler, Probe } from '@keelson/kubernetes/kinds';
import {
  type Check,
  type CheckedContainer,
  containersOf,
  counted,
  named,
  namedContainers,
  quoted,
  setters,
  sortedSet,
} from './checked-pod.js';

/** Checks of what reaches for the node. Source of all: pod-security-admission `policy/check_*.go`. */
export const hostNamespaces: Check = ({ spec }) => {
  const set = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
  return set.length === 0 ? undefined : { reason: 'host namespaces', detail: set.map((field) => `${field}=true`).join(', ') };
};

export const hostPathVolumes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined);
  return bad.length === 0 ? undefined : { reason: 'hostPath volumes', detail: named('volume', bad) };
};

export const hostPorts: Check = ({ spec }) => {
  const portsOf = ({ ports = [] }: CheckedContainer) => ports.flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]));
  const bad = containersOf(spec).filter((container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortedSet(bad.flatMap(portsOf));
  return { reason: 'hostPort', detail: `${namedContainers(bad)} ${uses(bad)} ${counted('hostPort', ports.length)} ${ports.join(', ')}` };
};

export const hostProbesAndHostLifecycle: Check = ({ spec }) => {
  const bad = containersOf(spec).filter((container) => hostsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortedSet(bad.map(({ name }) => name)).map((name) => ({ name }));
  const hosts = sortedSet(bad.flatMap(hostsOf));
  const detail = `${named('container', names)} ${uses(names)} ${counted('probe or lifecycle host', hosts.length)} ${quoted(hosts)}`;
  return { reason: 'probe or lifecycle host', detail };
};

function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: CheckedContainer): readonly string[] {
  const handlers: readonly (Probe | LifecycleHandler | undefined)[] = [
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle?.postStart,
    lifecycle?.preStop,
  ];
  return handlers.flatMap((handler) => [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? '']).filter((host) => host !== '');
}

export const windowsHostProcess: Check = ({ spec }) => {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  const who = setters(spec.securityContext?.windowsOptions?.hostProcess === true, bad);
  return who === undefined
    ? undefined
    : { reason: 'hostProcess', detail: `${who} must not set securityContext.windowsOptions.hostProcess=true` };
};

/** Volumes that the strictest level knows as harmless; anything else is of the cluster or of a cloud. */
const HARMLESS = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const;

export const restrictedVolumes: Check = ({ spec }) => {
  const bad = (spec.volumes ?? []).filter((volume) => !HARMLESS.some((source) => volume[source] !== undefined));
  if (bad.length === 0) return undefined;
  const sources = sortedSet(
    bad.map((volume) => Object.entries(volume).find(([key, value]) => key !== 'name' && isSet(value))?.[0] ?? 'unknown'),
  );
  const detail = `${named('volume', bad)} ${uses(bad)} ${counted('restricted volume type', sources.length)} ${quoted(sources)}`;
  return { reason: 'restricted volume types', detail };
};

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function uses(things: readonly unknown[]): string {
  return things.length === 1 ? 'uses' : 'use';
}
