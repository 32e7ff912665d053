import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KindInfo, messageOf } from '@keelson/kubernetes/apimachinery';
import type { Manifest } from '@keelson/testing/internal/cluster';
import { RUNTIME_CONTRACT, RUNTIME_DEFAULTS, runtimeEnvironment } from 'keelson/internal/definition';
import type { DevCluster } from './dev-cluster.js';
import type { Announcement, ProcessListeners, RunTarget } from './messages.js';
import { OperatorProcess } from './operator-child.js';
import type { ProjectModules } from './project-modules.js';
import { SpareProcess } from './spare-process.js';

export interface DevPorts {
  readonly health: number;
  readonly metrics: number;
  readonly webhooks: number;
}

export interface DevSessionOptions {
  readonly cluster: DevCluster;
  readonly modules: ProjectModules;
  readonly directory: string;
  readonly program: string;
  readonly ports: DevPorts;
  /** Definitions are applied before the operator starts, the rest when it is ready; those that are refused are tried again after its next start. */
  readonly manifests: readonly Manifest[];
  /** One line about what the session does. */
  readonly say: (line: string) => void;
  /** One line that the operator has written. */
  readonly onLine: (line: string) => void;
  readonly listeners: ProcessListeners;
  readonly hasPage: boolean;
}

export type Phase = 'starting' | 'ready' | 'ended';

/** The processes of an operator, one after the other, against one API server. */
export class DevSession {
  readonly #options: DevSessionOptions;
  readonly #spare: SpareProcess;
  #process: OperatorProcess | undefined;
  /** The process that knows the time of the session. */
  #told: OperatorProcess | undefined;
  /** They end as they should. */
  readonly #dismissed = new WeakSet<OperatorProcess>();
  #turn: Promise<void> = Promise.resolve();
  #pending: readonly Manifest[];
  #folder: string | undefined;
  #servesWebhooks = false;
  #isClosed = false;
  /** The custom resources of the newest process. */
  kinds: readonly KindInfo[] = [];
  /** The kinds that its controllers own. */
  owned: readonly KindInfo[] = [];
  /** The kinds that its controllers are for. */
  reconciled: readonly KindInfo[] = [];
  /** Its name; empty before the first process has announced it. */
  operator = '';
  phase: Phase = 'starting';

  constructor(options: DevSessionOptions) {
    this.#options = options;
    this.#pending = options.manifests;
    const { modules, directory, program, ports, onLine, listeners } = options;
    const start = (): OperatorProcess => new OperatorProcess({ modules, directory, program, healthPort: ports.health, onLine, listeners });
    this.#spare = new SpareProcess({ start, directory, program });
  }

  /**
   * Ends the operator's process, and starts a new one. A start that is under way ends: its sources are old.
   *
   * @param how `kill`: the process gets no time to end, as on a node that fails
   */
  restart(how: 'gently' | 'kill' = 'gently'): Promise<void> {
    if (this.phase === 'starting') this.#giveUp();
    this.#turn = this.#turn.then(() => (this.#isClosed ? undefined : this.#replace(how).finally(() => this.#spare.prepare())));
    return this.#turn;
  }

  /** Runs objects again, without a start of the operator. @returns false where it is not ready */
  runAgain(targets: readonly RunTarget[]): boolean {
    if (this.phase !== 'ready') return false;
    this.#process?.order({ runAgain: targets });
    return true;
  }

  /** Moves the time of the API server and of the operator. @returns false where the time is not ours */
  forward(ms: number): boolean {
    const { time } = this.#options.cluster;
    if (time === undefined) return false;
    time.forward(ms);
    // Another one gets the time with its environment.
    if (this.#told === this.#process) this.#told?.order({ forwardMs: ms });
    return true;
  }

  /** Applies manifests: definitions at once, the rest when the operator is ready. */
  async apply(manifests: readonly Manifest[]): Promise<void> {
    this.#pending = manifests;
    await this.#applyPending(this.phase === 'ready' ? () => true : isDefinition);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.phase === 'starting') this.#giveUp();
    await this.#turn;
    await Promise.all([this.#end(this.#process, 'gently'), this.#spare.close()]);
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  async #replace(how: 'gently' | 'kill'): Promise<void> {
    const started = performance.now();
    const { ports, say } = this.#options;
    const before = this.#process;
    // The new one loads its sources while the one before ends.
    const next = this.#spare.take();
    this.#process = next;
    this.phase = 'starting';
    const over = next.ended.then(({ code, signal }) => this.#ended(next, code === null ? `by ${signal}` : `with code ${code}`));
    await this.#end(before, how);
    const announcement = await Promise.race([next.announced, over]);
    if (announcement === undefined) return;
    try {
      const environment = await this.#install(announcement);
      // Controllers that watch kinds of others wait for their definitions.
      await this.#applyPending(isDefinition);
      next.go({ environment, offsetMs: this.#options.cluster.time?.offsetMs ?? 0, hasPage: this.#options.hasPage });
      this.#told = next;
    } catch (error) {
      say(`the parts of ${announcement.installation.name} cannot be installed: ${messageOf(error)}`);
      this.phase = 'ended';
      await this.#end(next, 'gently');
      return;
    }
    if (!(await next.ready([ports.health, ...(this.#servesWebhooks ? [ports.webhooks] : [])]))) return;
    this.phase = 'ready';
    say(`${announcement.installation.name} is ready after ${((performance.now() - started) / 1000).toFixed(1)} s`);
    await this.#applyPending(() => true);
  }

  /** @returns the environment of the operator */
  async #install({ installation, kinds, owned, reconciled }: Announcement): Promise<Readonly<Record<string, string>>> {
    const { cluster, ports } = this.#options;
    const { name, namespace, serviceAccount } = installation;
    const { servesWebhooks, certificates, leaseName, notes } = await cluster.install(installation, ports.webhooks);
    this.kinds = kinds;
    this.owned = owned;
    this.reconciled = reconciled;
    this.operator = name;
    this.#servesWebhooks = servesWebhooks;
    for (const note of notes) this.#options.say(note);
    const settings = runtimeEnvironment({
      ...RUNTIME_DEFAULTS,
      drainSeconds: 1,
      listenAddress: '127.0.0.1',
      healthPort: ports.health,
      webhookPort: ports.webhooks,
      metrics: { port: ports.metrics, secure: false },
      certificates,
      leaseName,
      journal: true,
    });
    return {
      ...settings,
      [RUNTIME_CONTRACT.env.podName]: `${name}-dev`,
      [RUNTIME_CONTRACT.env.podNamespace]: namespace,
      ...ownSettings(),
      KUBECONFIG: await this.#kubeconfigFile(`${namespace}/${serviceAccount}`),
    };
  }

  /** The operator asks in the name of its ServiceAccount: a right that its definition lacks is missing here as in a cluster. */
  async #kubeconfigFile(serviceAccount: string): Promise<string> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'keelson-dev-'));
    const path = join(this.#folder, 'kubeconfig');
    await writeFile(path, await this.#options.cluster.kubeconfig(serviceAccount), { mode: 0o600 });
    return path;
  }

  async #applyPending(isMeant: (manifest: Manifest) => boolean): Promise<void> {
    const { cluster, say } = this.#options;
    const meant = this.#pending.filter(isMeant);
    const refused = await cluster.applyManifests(meant);
    for (const { manifest, why } of refused) say(`${manifest.place}: ${manifest.object.kind} is refused: ${why}`);
    if (refused.length > 0) say('They are tried again after the next start of the operator.');
    const left = new Set(refused.map(({ manifest }) => manifest));
    this.#pending = this.#pending.filter((manifest) => left.has(manifest) || !meant.includes(manifest));
  }

  /** The sources of a start that is under way are old, or the session ends. */
  #giveUp(): void {
    if (this.#process === undefined) return;
    this.#dismissed.add(this.#process);
    this.#process.kill();
  }

  async #end(which: OperatorProcess | undefined, how: 'gently' | 'kill'): Promise<void> {
    if (which === undefined) return;
    this.#dismissed.add(which);
    if (how === 'kill') which.kill();
    await (how === 'kill' ? which.ended : which.stop());
  }

  #ended(which: OperatorProcess, how: string): undefined {
    if (this.#dismissed.has(which)) return;
    this.phase = 'ended';
    this.#options.say(`the operator has ended ${how}; it starts again when a file changes`);
  }
}

const isDefinition = ({ object }: Manifest): boolean => object.kind === 'CustomResourceDefinition';

/** Settings that the user has set: they win over those of the session. */
function ownSettings(): Readonly<Record<string, string>> {
  const names = new Set<string>(Object.values(RUNTIME_CONTRACT.env));
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => names.has(entry[0]) && entry[1] !== undefined),
  );
}
