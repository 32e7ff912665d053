import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { WebhookOperation } from '../model.js';

interface Meta {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** The size that a client asks for, of `autoscaling/v1`. */
export interface ScaleRequest {
  readonly apiVersion: 'autoscaling/v1';
  readonly kind: 'Scale';
  metadata: Meta;
  /** `replicas` is absent where the client asks for none. */
  spec?: { replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

/** A request to evict a pod, of `policy/v1`. */
export interface EvictionRequest {
  readonly apiVersion: 'policy/v1';
  readonly kind: 'Eviction';
  metadata: Meta;
  deleteOptions?: { gracePeriodSeconds?: number; propagationPolicy?: string; dryRun?: readonly string[] };
}

/** A scheduler's choice of a node for a pod. */
export interface BindingRequest {
  readonly apiVersion: 'v1';
  readonly kind: 'Binding';
  metadata: Meta;
  target: { readonly apiVersion?: string; readonly kind?: string; readonly name: string };
}

/** A request for a token of a ServiceAccount, of `authentication.k8s.io/v1`. */
export interface TokenRequest {
  readonly apiVersion: 'authentication.k8s.io/v1';
  readonly kind: 'TokenRequest';
  metadata: Meta;
  spec: {
    audiences?: readonly string[];
    expirationSeconds?: number;
    boundObjectRef?: { readonly kind?: string; readonly name?: string; readonly uid?: string };
  };
}

interface Streams {
  readonly apiVersion: 'v1';
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
}

/** The options of `kubectl exec`. They have no metadata: the context has the pod's name and namespace. */
export interface PodExecOptions extends Streams {
  readonly kind: 'PodExecOptions';
  readonly command?: readonly string[];
}

/** The options of `kubectl attach`. They have no metadata: the context has the pod's name and namespace. */
export interface PodAttachOptions extends Streams {
  readonly kind: 'PodAttachOptions';
}

/** The options of `kubectl port-forward`. They have no metadata: the context has the pod's name and namespace. */
export interface PodPortForwardOptions {
  readonly apiVersion: 'v1';
  readonly kind: 'PodPortForwardOptions';
  /** Absent where the client names its ports in the stream, as kubectl does. */
  readonly ports?: readonly number[];
}

/** A request to a pod, a service or a node through the API server. It has no metadata: the context has the name and the namespace. */
export interface ProxyOptions {
  readonly apiVersion: 'v1';
  readonly kind: 'PodProxyOptions' | 'ServiceProxyOptions' | 'NodeProxyOptions';
  readonly path?: string;
}

/** Subresources that carry an object of another kind than their resource. */
interface Carried {
  readonly scale: ScaleRequest;
  readonly eviction: EvictionRequest;
  readonly binding: BindingRequest;
  readonly token: TokenRequest;
  readonly exec: PodExecOptions;
  readonly attach: PodAttachOptions;
  readonly portforward: PodPortForwardOptions;
  readonly proxy: ProxyOptions;
}

/** Subresources that carry the whole object. */
type Whole = 'status' | 'resize' | 'ephemeralcontainers' | 'approval' | 'finalize';

/** The object of a request to a subresource: the whole one for `status` and its like, else what the API defines for it. */
export type SubresourceObject<T, TSubresource extends string> = [TSubresource] extends [never]
  ? T
  : TSubresource extends keyof Carried
    ? Carried[TSubresource]
    : TSubresource extends Whole
      ? T
      : KubernetesObject;

const CONNECTED: readonly string[] = ['attach', 'exec', 'portforward', 'proxy'];
const CREATED: readonly string[] = ['binding', 'eviction', 'token'];
/** Read alone: admission is not asked about reads. */
const READ: readonly string[] = ['log'];

/**
 * The operations that reach admission for a subresource; for the object itself, all but CONNECT.
 *
 * Source: the storage of each subresource in the API server (`Connecter`, `NamedCreater`, `Updater`), which decides what the handlers pass on.
 */
export function operationsOn(subresource: string | undefined): readonly WebhookOperation[] {
  if (subresource === undefined) return ['CREATE', 'UPDATE', 'DELETE'];
  if (subresource === '*') return ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
  if (CONNECTED.includes(subresource)) return ['CONNECT'];
  if (CREATED.includes(subresource)) return ['CREATE'];
  return READ.includes(subresource) ? [] : ['UPDATE'];
}

/** Whether a subresource carries the object of its resource, and not one of another kind. */
export function carriesWholeObject(subresource: string | undefined): boolean {
  return (
    subresource === undefined ||
    (['status', 'resize', 'ephemeralcontainers', 'approval', 'finalize'] satisfies Whole[]).includes(subresource as Whole)
  );
}
