import type {
  Affinity,
  Container,
  EnvFromSource,
  PodSecurityContext,
  Probe,
  ResourceRequirements,
  SecurityContext,
  Toleration,
  TopologySpreadConstraint,
  Volume,
  VolumeMount,
} from '@keelson/kubernetes/kinds';
import type { ApiObjectMetadata } from 'cdk8s';
import type { SettingsValues } from '../../definition/index.js';
import type { NamedReference } from '../installation/index.js';

/** A variable's value, or where it comes from. An `EnvValue` of any cdk8s-plus minor fits. */
export type EnvironmentValue = string | { readonly value?: unknown; readonly valueFrom?: unknown };

/** Fields of the probes that differ from their defaults. */
export interface OperatorProbes {
  readonly startup?: Partial<Probe> | undefined;
  readonly liveness?: Partial<Probe> | undefined;
  readonly readiness?: Partial<Probe> | undefined;
}

/** Settings of the pod that runs the operator. */
export interface OperatorPodProps {
  /** Image of the process that hosts the operator; a tag or digest that does not move. */
  readonly image: string;
  /**
   * @default - IfNotPresent, or Always for the tag `latest`, as the API server decides
   */
  readonly imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
  /**
   * Secrets that hold the registry's credentials: a construct, or `{ name }`.
   * @default - none
   */
  readonly imagePullSecrets?: readonly NamedReference[] | undefined;
  /**
   * More than one keeps a warm standby: controllers run on the leader, webhooks on all.
   * @default 1
   */
  readonly replicas?: number | undefined;
  /**
   * Identity of the pod; it must hold the rights that OperatorRbac emits.
   * @default - the ServiceAccount named like the installation
   */
  readonly serviceAccount?: NamedReference | undefined;
  /** @default - the image's entry point */
  readonly command?: readonly string[] | undefined;
  /** @default - the image's */
  readonly args?: readonly string[] | undefined;
  /**
   * More environment variables; `undefined` leaves one out. `NODE_OPTIONS` replaces the heap's bounds that are derived from the memory limit.
   * @default - none
   */
  readonly env?: Readonly<Record<string, EnvironmentValue | undefined>> | undefined;
  /**
   * Values of the operator's own settings: `[config.values({ defaultImage: 'memcached:1.6' })]`. Each becomes a variable; a secret is given as
   * `{ valueFrom: { secretKeyRef: { name, key } } }`.
   * @default - the defaults of the settings; one without a default must be given here, in `env` or by `envFrom`
   */
  readonly settings?: readonly SettingsValues[] | undefined;
  /** @default - none */
  readonly envFrom?: readonly EnvFromSource[] | undefined;
  /**
   * Replaces the default as a whole.
   * @default - requests 50m CPU and 128Mi, memory limit 256Mi. No CPU limit: throttling delays lease renewal
   */
  readonly resources?: ResourceRequirements | undefined;
  /** @default - none */
  readonly nodeSelector?: Readonly<Record<string, string>> | undefined;
  /** @default - none */
  readonly affinity?: Affinity | undefined;
  /** @default - none */
  readonly tolerations?: readonly Toleration[] | undefined;
  /**
   * @default - none with one replica; with more, spread over nodes and zones as far as possible
   */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[] | undefined;
  /** @default - the cluster's default class */
  readonly priorityClassName?: string | undefined;
  /**
   * Seconds from SIGTERM to SIGKILL. The process drains for five seconds less.
   * @default 30
   */
  readonly terminationGracePeriodSeconds?: number | undefined;
  /** Labels and annotations of the pod. @default - the installation's labels */
  readonly podMetadata?: Pick<ApiObjectMetadata, 'labels' | 'annotations'> | undefined;
  /** Changes single fields of the pod's default; `undefined` removes one (OpenShift assigns the uid itself: `{ runAsUser: undefined, … }`). */
  readonly podSecurityContext?: PodSecurityContext | undefined;
  /** Changes single fields of the container's default. */
  readonly securityContext?: SecurityContext | undefined;
  /** Changes single fields of the probes' defaults. @default - startup every second for a minute, then liveness every 20 s, readiness every 10 s */
  readonly probes?: OperatorProbes | undefined;
  /**
   * Whether `/tmp` is writable. The rest of the root file system never is.
   * @default true
   */
  readonly temporaryDirectory?: boolean | undefined;
  /** More volumes. @default - none */
  readonly volumes?: readonly Volume[] | undefined;
  /** Mounts of the operator's container. @default - none */
  readonly volumeMounts?: readonly VolumeMount[] | undefined;
  /** Sidecars. @default - none */
  readonly containers?: readonly Container[] | undefined;
  /** @default - none */
  readonly initContainers?: readonly Container[] | undefined;
}
