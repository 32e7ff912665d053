import type { LogLevel, OperatorModel } from '../definition/index.js';
import type { CertificateSource } from './certificate-wiring.js';

/** Anything with a name: a construct of keelson, of any cdk8s-plus minor, or a literal. */
export interface NamedReference {
  readonly name: string;
}

/** Where an operator looks for its objects. */
export type OperatorScope = 'Cluster' | { readonly namespaces: readonly string[] };

/**
 * What describes one installation of an operator. Every part takes it, and parts that belong together are given the same values: `Operator` does
 * that for you.
 */
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
   * The metrics endpoint. `secure`: HTTPS on another port, and callers are authenticated and authorized by the API server; `false`: none.
   * @default { secure: false }
   */
  readonly metrics?: false | { readonly secure?: boolean | undefined; readonly port?: number | undefined } | undefined;
  /**
   * Ports of the pod.
   * @default { health: 8081, webhook: 9443 }
   */
  readonly ports?: { readonly health?: number | undefined; readonly webhook?: number | undefined } | undefined;
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
