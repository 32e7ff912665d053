import type { Clock } from '../clock/index.js';
import type { ServerFeature } from '../contract/index.js';
import type { ControllerProblem } from '../controllers/index.js';
import type { Intercept, RequestObserver } from '../http/index.js';
import type { WorkloadsOptions } from '../workloads/index.js';

export interface ApiServerOptions {
  /** Port on 127.0.0.1. Default 0: any that is free. */
  readonly port?: number;
  /** Default `https`, with an authority of its own. With `http` there are no client certificates: kubeconfigs carry tokens. */
  readonly protocol?: 'http' | 'https';
  /**
   * `cluster`: owners cascade, namespaces empty themselves, service accounts and aggregated roles are kept, Pods run as service accounts, quotas are taken up
   * and counted again. `envtest`: the API server alone, as Go's envtest has it. Default `cluster`.
   */
  readonly mode?: 'cluster' | 'envtest';
  /**
   * Deployments, StatefulSets, DaemonSets and Jobs make Pods; a scheduler and kubelets without machines run them. Default: none of them, as in Go's envtest.
   * Not in `envtest` mode.
   */
  readonly workloads?: WorkloadsOptions | boolean;
  /** Features that a kube-apiserver has only where its flags ask for them: {@link ServerFeature}. Default none, as there. */
  readonly features?: readonly ServerFeature[];
  /** Default: the process' own time. */
  readonly clock?: Clock;
  /** Where the Services of webhooks listen: local ports by `namespace/name`. May be changed later: {@link ApiServer.serveWebhooksAt}. Default none. */
  readonly services?: Readonly<Record<string, number>>;
  /** IPv4 range of Services. Default `10.0.0.0/24`, as Go's envtest. */
  readonly serviceRange?: string;
  /** Most events and bytes that the log behind watches and old lists keeps. Defaults of the store: enough for minutes of an operator's writes. */
  readonly maxEvents?: number;
  readonly maxBytes?: number;
  /**
   * Folder in which objects and keys are kept over a restart; made if it is missing. A write that was acknowledged survives the end of the process in whatever
   * way, not a loss of power. Default: all is in memory, and gone when the server is closed.
   */
  readonly dataFolder?: string;
  /** Folder of the authority's, the administrator's and the token key, if the keys alone, or elsewhere than the objects, are kept. Default: the data folder. */
  readonly certificateFolder?: string;
  readonly uids?: () => string;
  readonly suffixes?: () => string;
  readonly intercept?: Intercept;
  readonly observer?: RequestObserver;
  /** Told of what a controller could not do, and of bugs of the server. Default: a process warning. */
  readonly onProblem?: (problem: ServerProblem) => void;
}

export type ServerProblem = ControllerProblem | { readonly request: string; readonly error: unknown };
