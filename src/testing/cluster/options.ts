import type { ApiServerOptions, Clock } from '@keelson/api-server';
import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { CustomResourceModel, OperatorModel } from 'keelson/internal/definition';
import type { TestClusterError } from './errors.js';
import type { TimeSpan } from './time-span.js';

/** Where the webhooks and conversions of an operator listen: on this machine. */
export interface WebhookEndpoint {
  readonly port: number;
  /** PEM of the authority that signed the serving certificate, which must be for `<service>.<namespace>.svc` (in the process) or `127.0.0.1` (real binaries). */
  readonly authority: string;
}

/** The content of a cluster before the test begins. */
export interface ContentOptions {
  /** Custom resources, as `defineCustomResource` returns them: their definitions are installed, and awaited to be established. */
  readonly resources?: readonly CustomResourceModel[];
  /**
   * An operator, as `defineOperator` returns it: its custom resources, webhook configurations and policies, its ServiceAccount and exactly the roles that its
   * manifests will have are installed. {@link RunningCluster.startOperator} runs it; {@link RunningCluster.operator} is its user here.
   */
  readonly operator?: OperatorModel;
  /** Where the operator is installed. Default `<name>-system`. */
  readonly operatorNamespace?: string;
  /**
   * Where webhooks and conversions listen; `false`: their configurations are not installed. Default in the process: configurations that name the operator's
   * Service, as in a cluster, see {@link ApiServer.serveWebhooksAt}. Elsewhere the API server could not reach that Service, so an operator with webhooks needs
   * the option.
   */
  readonly webhooks?: WebhookEndpoint | false;
  /** Objects, YAML texts, or paths of YAML files and of folders of them; created in this order, but definitions and namespaces first. */
  readonly manifests?: readonly (KubernetesObject | string)[];
  /** Called with each manifest that the server refuses; the others are created. Default: the first refusal is thrown, and nothing is left running. */
  readonly onRefused?: (refusal: TestClusterError) => void;
  /** The namespace of an object or a key that names none; it is created where it is absent. Default `default`. */
  readonly namespace?: string;
  /** More namespaces that are created. */
  readonly namespaces?: readonly string[];
  /** How long {@link RunningCluster.until} and others wait, in real time. Default 10 seconds in the process, 30 else. */
  readonly timeout?: TimeSpan;
}

/** The in-process server. Nothing has to be installed. */
export interface InProcessOptions<TClock extends Clock = Clock>
  extends ContentOptions,
    Pick<
      ApiServerOptions,
      | 'features'
      | 'maxBytes'
      | 'maxEvents'
      | 'mode'
      | 'onProblem'
      | 'port'
      | 'protocol'
      | 'serviceRange'
      | 'services'
      | 'suffixes'
      | 'uids'
      | 'workloads'
    > {
  /** Default: this one. */
  readonly server?: 'in-process';
  /** The time of the server: a FakeClock stands still until the test moves it. Default: the process' own time. */
  readonly clock?: TClock;
  /** Requests that the log keeps. Default 20,000. */
  readonly maxRequests?: number;
}

/** A real kube-apiserver with its etcd, started for this cluster alone. */
export interface KubeApiServerOptions extends ContentOptions {
  readonly server: 'kube-apiserver';
  /** `cluster` also starts kube-controller-manager, which Go's envtest does not bring. Default `envtest`: the API server alone. */
  readonly mode?: 'cluster' | 'envtest';
  /** Folder of the binaries. Default: as Go's envtest, `TEST_ASSET_ETCD` and so on, then `KUBEBUILDER_ASSETS`, then /usr/local/kubebuilder/bin. */
  readonly binaries?: string;
  /** Appended to the flags of the API server, for example `--feature-gates=…`. */
  readonly apiServerFlags?: readonly string[];
}

/** A cluster that is there. At its end only objects that were created through it are deleted. */
export interface ExistingOptions extends ContentOptions {
  readonly server: 'existing';
  /** Path. Default: the variable KUBECONFIG, else the service account of the Pod, else ~/.kube/config. */
  readonly kubeconfig?: string;
  /** Default: the current one. */
  readonly context?: string;
}

export type TestClusterOptions = ExistingOptions | InProcessOptions | KubeApiServerOptions;
