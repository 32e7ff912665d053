import { humanDuration, type KindInfo, type KubernetesObject, messageOf } from '@keelson/kubernetes/apimachinery';
import type { Terminal } from '../terminal.js';
import type { DevCluster } from './dev-cluster.js';
import type { Phase } from './dev-session.js';
import { Footer } from './footer.js';
import type { EndedRun, RunTarget } from './messages.js';
import { isShown, nameOf, objectTable, stateOf, targetOf } from './object-table.js';

const LOOK_MS = 150;
const KEYS = 'r run again   s start again   k kill   d disturb   j journal   / filter   q quit';
/** Runs that `j` shows of each object. */
const SHOWN_RUNS = 3;
/** Objects whose runs `j` shows at a time. */
const SHOWN_OBJECTS = 5;
/** Lines around the objects: title, keys and a free line. */
const FRAME_LINES = 3;

/** The state of the session, as the view shows it. */
export interface Viewed {
  readonly cluster: DevCluster;
  readonly session: { readonly phase: Phase; readonly kinds: readonly KindInfo[]; readonly reconciled: readonly KindInfo[] };
}

/** The actions behind the keys. */
export interface Actions {
  readonly restart: (how: 'gently' | 'kill') => void;
  /** @returns false where the operator is not ready */
  readonly runAgain: (targets: readonly RunTarget[]) => boolean;
  readonly quit: () => void;
}

/**
 * Shows the objects of an operator: on a screen as a table below the log that follows each change; elsewhere one line for each change of a condition.
 */
export class DevView {
  readonly #terminal: Terminal;
  readonly #viewed: Viewed;
  readonly #footer: Footer;
  readonly #states = new Map<string, string>();
  /** By the name of the object, newest last. */
  readonly #runs = new Map<string, readonly EndedRun[]>();
  readonly #timer: NodeJS.Timeout;
  readonly #releaseKeys: () => void;
  #objects: readonly KubernetesObject[] = [];
  #revision = -1;
  #filter = '';
  #isTyping = false;
  #isLooking = false;
  /** The reason why the last list failed; empty: it did not. */
  #problem = '';

  constructor(terminal: Terminal, viewed: Viewed, actions: Actions) {
    this.#terminal = terminal;
    this.#viewed = viewed;
    this.#footer = new Footer(terminal);
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    this.#releaseKeys = terminal.screen?.onKey((key) => this.#pressed(key, actions)) ?? (() => undefined);
  }

  say(line: string): void {
    this.#footer.write(`keelson dev: ${line}\n`);
  }

  line(text: string): void {
    this.#footer.write(`${text}\n`);
  }

  /** A run has ended. */
  ran(run: EndedRun): void {
    const name = `${run.kind} ${run.object}`;
    this.#runs.set(name, [...(this.#runs.get(name) ?? []), run].slice(-SHOWN_RUNS));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#releaseKeys();
    this.#footer.show([]);
  }

  async #look(): Promise<void> {
    const { cluster, session } = this.#viewed;
    const { revision } = cluster;
    if (this.#isLooking) return;
    if (revision !== this.#revision) {
      this.#isLooking = true;
      try {
        this.#objects = await cluster.objectsOf(session.kinds);
        this.#problem = '';
        this.#revision = revision;
        this.#tellChanges();
      } catch (error) {
        this.#problemOf(messageOf(error));
        this.#revision = revision;
      } finally {
        this.#isLooking = false;
      }
    }
    this.#draw();
  }

  /** Said once: a cluster that cannot be reached is asked again and again. */
  #problemOf(problem: string): void {
    if (problem !== this.#problem) this.say(`the objects cannot be listed: ${problem}`);
    this.#problem = problem;
  }

  /** Only where no table shows them. */
  #tellChanges(): void {
    const seen = new Set<string>();
    for (const object of this.#objects) {
      const [name, state] = [nameOf(object), stateOf(object)];
      seen.add(name);
      if (this.#states.get(name) === state) continue;
      this.#states.set(name, state);
      if (this.#terminal.screen === undefined) this.say(`${name}  ${state}`);
    }
    for (const name of this.#states.keys()) {
      if (seen.has(name)) continue;
      this.#states.delete(name);
      this.#runs.delete(name);
      if (this.#terminal.screen === undefined) this.say(`${name}  is gone`);
    }
  }

  #draw(): void {
    const { screen } = this.#terminal;
    if (screen === undefined) return;
    const { cluster, session } = this.#viewed;
    const most = Math.max(3, Math.floor(screen.rows() / 2));
    const runs = new Map([...this.#runs].flatMap(([name, all]) => all.slice(-1).map((run) => [name, run] as const)));
    const table = objectTable(this.#objects, {
      now: new Date(Date.now() + (cluster.time?.offsetMs ?? 0)),
      runs,
      filter: this.#filter,
      rows: most - FRAME_LINES,
    });
    const offsetMs = cluster.time?.offsetMs ?? 0;
    const ahead = offsetMs === 0 ? '' : `   time: ${humanDuration(offsetMs)} ahead`;
    const faults = cluster.disturbances?.isDisturbed === true ? '   FAULTS ON' : '';
    const filter = this.#isTyping ? `/${this.#filter}_` : this.#filter === '' ? KEYS : `${KEYS}   filter: ${this.#filter}`;
    this.#footer.show(['', `operator: ${session.phase}${faults}${ahead}   objects: ${this.#objects.length}`, ...table, filter]);
  }

  #pressed(key: string, { restart, runAgain, quit }: Actions): void {
    if (this.#isTyping) this.#typed(key);
    else if (key === 'r') this.#runAgain(runAgain);
    else if (key === 's') restart('gently');
    else if (key === 'k') restart('kill');
    else if (key === 'd') this.#disturb();
    else if (key === 'j') void this.#showJournal();
    else if (key === '/') this.#isTyping = true;
    else if (key === 'q') quit();
    this.#draw();
  }

  /** The objects that the filter leaves. */
  #runAgain(runAgain: Actions['runAgain']): void {
    const { reconciled } = this.#viewed.session;
    const targets = this.#objects.filter((object) => isShown(object, this.#filter)).flatMap((object) => targetOf(object, reconciled) ?? []);
    if (targets.length === 0)
      this.say(this.#filter === '' ? 'there is no object to run again' : `no object to run again has ${this.#filter} in its row`);
    else if (!runAgain(targets)) this.say('the operator is not ready: nothing is run again');
    else this.say(`${targets.length === 1 ? `${targets[0]?.kind} ${targets[0]?.object} is` : `${targets.length} objects are`} run again`);
  }

  #disturb(): void {
    const { disturbances } = this.#viewed.cluster;
    if (disturbances === undefined) this.say('only the API server of keelson dev itself can be disturbed');
    else this.say(disturbances.disturb() ? 'requests fail now and then, until d is pressed again' : 'requests do not fail any more');
  }

  /** The last runs of the objects that the filter leaves. */
  async #showJournal(): Promise<void> {
    // Loaded when it is asked for: it comes with the runtime.
    const { journalText } = await import('@keelson/runtime');
    const names = this.#objects.map(nameOf).filter((name) => name.toLowerCase().includes(this.#filter.toLowerCase()));
    const shown = names.filter((name) => this.#runs.has(name)).slice(0, SHOWN_OBJECTS);
    if (shown.length === 0)
      this.say(this.#filter === '' ? 'nothing has run yet' : `no object with ${this.#filter} in its name has run yet`);
    for (const name of shown) {
      const runs = (this.#runs.get(name) ?? []).map((run) => ({ ...run, startedAt: new Date(run.startedAt) }));
      this.line(journalText(runs));
    }
    if (names.length > SHOWN_OBJECTS) this.say(`of ${names.length} objects, ${SHOWN_OBJECTS}: narrow them down with /`);
  }

  #typed(key: string): void {
    if (key === '\r' || key === '\n') this.#isTyping = false;
    else if (key === '\u001B') {
      this.#isTyping = false;
      this.#filter = '';
    } else if (key === '\u007F') this.#filter = this.#filter.slice(0, -1);
    else if (/^[^\p{Cc}]$/u.test(key)) this.#filter += key;
  }
}
