import type { LabelSelectorModel, LogLevel, OperatorModel } from '../../definition/index.js';
import type { CertificateSource } from './certificate-wiring.js';
import type { WebhookReach } from './webhook-place.js';

/** Anything with a name: a construct of keelson, of any cdk8s-plus minor, or a literal. */
export interface NamedReference {
  readonly name: string;
}

/** Where an operator looks for its objects. */
export type OperatorScope = 'Cluster' | { readonly namespaces: readonly string[] };

/** A ServiceAccount, wherever it lives. */
export interface ServiceAccountReference {
  readonly name: string;
  readonly namespace: string;
}

/** The metrics endpoint, in the format of Prometheus. */
export interface MetricsSettings {
  /**
   * Whether the endpoint is served over TLS and asks the API server who the caller is and whether it may read `/metrics`. `false`: plain HTTP on 8080, for
   * all callers that reach the pod.
   * @default true - endpoints on the network are not for all callers; it costs the rights to ask (token reviews, subject access reviews) and a certificate
   */
  readonly secure?: boolean | undefined;
  /** @default - 8443, or 8080 without `secure` */
  readonly port?: number | undefined;
  /**
   * Readers of a secure endpoint: ServiceAccounts that the ClusterRole `<name>-metrics-reader` is bound to, for example that of Prometheus.
   * @default - none: bind the role yourself
   */
  readonly readers?: readonly ServiceAccountReference[] | undefined;
}

/** Object that holds certificates in PEM, under `ca.crt` unless a key is given. */
export type ClientAuthoritySource =
  | { readonly configMap: string; readonly key?: string | undefined }
  | { readonly secret: string; readonly key?: string | undefined };

/** Settings of one installation of an operator: `Operator` takes them, and `installationOf` for parts that are used alone. */
export interface OperatorSettings {
  /** The operator, as `defineOperator` returns it. */
  readonly operator: OperatorModel;
  /**
   * Name of this installation: of its Deployment, ServiceAccount and roles, and the stem of the other names. Two installations in one cluster need two.
   * @default - the operator's name
   */
  readonly name?: string | undefined;
  /**
   * Namespace that the process runs in.
   * @default - the chart's namespace; one of the two is needed, because webhooks and bindings name it
   */
  readonly namespace?: string | NamedReference | undefined;
  /**
   * Namespaces whose objects the controllers see. With a list, rights are granted by Roles in these namespaces.
   * @default 'Cluster'
   */
  readonly scope?: OperatorScope | undefined;
  /**
   * Labels of the objects that this installation is for, as `kubectl get -l` writes them: `class=internal`. Another installation, under another name, is for the
   * others; an object whose labels change is handed over. It narrows list and watch of the kinds that the controllers are for, and webhooks with `ofInstance`.
   * @default - all objects
   */
  readonly selector?: string | undefined;
  /**
   * The same by fields, as `kubectl get --field-selector` writes them: `spec.className=internal`. Each kind that a controller is for needs them under
   * `selectableFields`. Webhooks cannot be narrowed by fields.
   * @default - all objects
   */
  readonly fieldSelector?: string | undefined;
  /**
   * Labels of the objects that webhooks with `ofInstance` are called for, where they should not follow from `selector`.
   * @default - what `selector` says
   */
  readonly webhookSelector?: LabelSelectorModel | undefined;
  /**
   * Whether replicas elect a leader; an object names the Lease.
   * @default true - even one replica overlaps with its successor during a rollout
   */
  readonly leaderElection?: boolean | { readonly leaseName: string } | undefined;
  /**
   * Where the certificate of the webhook server comes from. Not read when nothing is served over TLS.
   * @default 'selfManaged' - the process issues and rotates it; nothing has to be installed, and no key is in a manifest
   */
  readonly certificates?: CertificateSource | undefined;
  /**
   * The URL that webhooks and conversions are called by, for a process that runs outside the cluster or behind a way in of its own. No Service is made for them.
   * @default - a Service in front of the pods
   */
  readonly webhooks?: WebhookReach | undefined;
  /**
   * Certificates of the authority that signs the API server's client certificate, in a ConfigMap or Secret of the process's namespace: webhooks and conversions
   * then answer no other client. The API server has to be configured to show its certificate, see docs/running.md.
   * @default - none: every client that reaches the port is answered
   */
  readonly webhookClientAuthority?: ClientAuthoritySource | undefined;
  /**
   * The metrics endpoint; `false`: none.
   * @default {} - HTTPS on 8443, and callers are authenticated and authorized by the API server
   */
  readonly metrics?: false | MetricsSettings | undefined;
  /**
   * Ports of the pod.
   * @default { health: 8081, webhook: 9443 }
   */
  readonly ports?: { readonly health?: number | undefined; readonly webhook?: number | undefined } | undefined;
  /**
   * Whether the leader brings stored objects of custom resources with several versions to the storage version, and the CRD's `status.storedVersions` with
   * them, so that an old version can be dropped. It takes rights in every namespace.
   * @default - true; false with `scope: { namespaces }`, with a selector, and with `crds: false`, when another tool decides on versions
   */
  readonly storedVersions?: boolean | undefined;
  /**
   * How much the process logs.
   * @default 'info'
   */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Labels for every object of the installation, over the recommended ones. The selector does not use them.
   * @default - app.kubernetes.io/name, instance, component and managed-by
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}
