import type { Span } from '@keelson/kubernetes/apimachinery';
import type { Logger, RuntimeSettings, SettingsValues } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import type { ClientNodeKubeConfig, Connection } from '../http/index.js';
import type { JournalOptions } from '../journal/index.js';
import type { ExternalInterceptor } from '../outside/index.js';

/** Options of all controllers, each of which may have its own. */
export interface ControllerTuning {
  /** Objects that a controller works on at the same time. @defaultValue 10 */
  readonly concurrency?: number | undefined;
  /** How long one call of `reconcile` or `finalize` may take. @defaultValue `5m` */
  readonly timeLimit?: Span | undefined;
  /** Waits between the runs of an object that fail. @defaultValue `{ first: '20ms', most: '5m' }` */
  readonly backoff?: { readonly first?: Span | undefined; readonly most?: Span | undefined } | undefined;
  /** How often a failed `reconcile` is tried again until the object is `Stalled`. @defaultValue for ever */
  readonly retries?: number | undefined;
  /** Most runs that begin within a minute, for all objects together. @defaultValue as many as come */
  readonly rate?: { readonly perMinute: number } | undefined;
  /** Every object is looked at again after this time, ±10 %, whatever happens. @defaultValue `10h` */
  readonly resync?: Span | undefined;
}

/** Options of {@link start}. */
export interface StartOptions extends ControllerTuning {
  /** Values of the externals that the operator's `uses` declares, by name. Asked for where the operator needs it. */
  // Not a record: in the signatures it would let names pass that the operator does not use.
  readonly externals?: unknown;
  /** Values of the operator's settings that count instead of the environment's: `[config.values({ ... })]`. @defaultValue none */
  readonly values?: readonly SettingsValues[] | undefined;
  /** Stands between the operator and its externals: for tests that make calls fail, late, empty or lost. @defaultValue none */
  readonly interceptExternal?: ExternalInterceptor | undefined;
  /**
   * Where the API server is, and as whom it is asked.
   * @defaultValue the kubeconfig that the environment names, else the Pod's service account, else `~/.kube/config`
   */
  readonly connection?: Connection | ClientNodeKubeConfig | undefined;
  /** Settings of the process: ports, certificates, election, log level. @defaultValue what the environment of the process says; the manifests write it there */
  readonly settings?: RuntimeSettings | undefined;
  /** Gets the lines of the log. @defaultValue JSON lines on standard output, text if that is a terminal */
  readonly log?: Logger | undefined;
  /** By name of the controller; what is not given here is as for all. */
  readonly controllers?: Readonly<Record<string, ControllerTuning>> | undefined;
  /** Time of everything but connections. @defaultValue the system's */
  readonly clock?: Clock | undefined;
  /** In [0, 1), for jitter. @defaultValue Math.random */
  readonly random?: (() => number) | undefined;
  /** Share by which `requeueAfter` is longer at random, so that not all objects come at once. @defaultValue 0.1 */
  readonly requeueJitter?: number | undefined;
  /** Variables that settings, the connection and the name of the Pod are read from. @defaultValue process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Heap snapshots and CPU profiles under `/debug/pprof` of the metrics server, for whom the API server lets read them; needs secured metrics.
   * @defaultValue what the settings say: off, unless `KEELSON_PROFILES` is `true`
   */
  readonly profiles?: boolean | undefined;
  /**
   * Keeps the last runs of each object in memory: triggers, reads, writes as differences, outcome. `running.journal()` gives them, and `/journal` of the secured
   * metrics for whom the API server lets read it.
   * @defaultValue what the settings say: off, unless `KEELSON_JOURNAL` is `true`
   */
  readonly journal?: boolean | JournalOptions | undefined;
  /** Ports of the operator's endpoints, by name; 0: any that is free. @defaultValue as they are declared */
  readonly endpointPorts?: Readonly<Record<string, number>> | undefined;
  /** How long webhooks are still accepted after {@link RunningOperator.stop}: API servers learn late that this process is not to be asked. @defaultValue 2000 in a Pod, else 0 */
  readonly webhookLingerMs?: number | undefined;
  /** Measures the process itself as well: memory, garbage collection. @defaultValue true */
  readonly processMetrics?: boolean | undefined;
}
