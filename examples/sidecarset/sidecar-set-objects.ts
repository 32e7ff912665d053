import type { Stored } from 'keelson';
import type { Container, Pod } from 'keelson/kinds';
import { withContainerDefaults } from './container-defaults.js';
import { inject } from './injection.js';
import type { SidecarSet } from './sidecar-set.js';

/** Objects for the tests, as the API server returns them. */
type Strategy = SidecarSet['spec']['updateStrategy'];
type Change = Partial<Omit<SidecarSet['spec'], 'updateStrategy'>> & { readonly updateStrategy?: Partial<Strategy> };

export function sidecar(image: string, change: Partial<Container> = {}): Container {
  return withContainerDefaults({ name: 'proxy', image, ...change });
}

export function sidecarSet(name: string, { updateStrategy, ...change }: Change = {}): Stored<SidecarSet> {
  return {
    apiVersion: 'apps.example.com/v1beta1',
    kind: 'SidecarSet',
    metadata: { name, uid: `uid-of-${name}`, resourceVersion: '1', generation: 1 },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      containers: [sidecar('proxy:1')],
      injectPolicy: 'AfterAppContainers',
      injectionPaused: false,
      revisionHistoryLimit: 10,
      updateStrategy: { type: 'RollingUpdate', paused: false, partition: 0, maxUnavailable: 1, ...updateStrategy },
      ...change,
    },
  };
}

interface PodChange {
  readonly containers?: Container[];
  readonly ready?: boolean;
  readonly labels?: Record<string, string>;
  readonly creationTimestamp?: string;
}

/** A Pod that runs without sidecars. */
export function pod(
  name: string,
  { containers = [{ name: 'app', image: 'app:1' }], labels = { app: 'web' }, creationTimestamp }: PodChange = {},
): Stored<Pod> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-of-${name}`,
      resourceVersion: '1',
      labels,
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: { containers },
  };
}

/** A Pod that was created while this SidecarSet was there, and whose kubelet has done its work. */
export function injectedPod(name: string, set: SidecarSet, { ready = true, ...change }: PodChange = {}): Stored<Pod> {
  const injected = inject(pod(name, change), [set]);
  if (!('metadata' in injected)) throw new Error(JSON.stringify(injected));
  return settledPod(injected as Stored<Pod>, ready);
}

/** The Pod, with the status of a kubelet that has started each container that the spec has now. */
export function settledPod(of: Stored<Pod>, ready = true): Stored<Pod> {
  const known = new Map(of.status?.containerStatuses?.map((status) => [status.name, status]));
  return { ...of, status: statusFor(of, known, ready) };
}

type ContainerStatuses = NonNullable<NonNullable<Pod['status']>['containerStatuses']>;

function statusFor({ spec }: Pod, known: ReadonlyMap<string, ContainerStatuses[number]>, ready: boolean): NonNullable<Pod['status']> {
  return {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    containerStatuses: (spec?.containers ?? []).map(({ name, image = '' }) => {
      const before = known.get(name);
      const containerID = before?.image === image ? before.containerID : `containerd://${name}-of-${image}`;
      return { name, image, imageID: `sha256:${image}`, containerID, ready, restartCount: 0 };
    }),
  };
}
