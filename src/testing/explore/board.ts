import type { Clock } from '@keelson/api-server';
import type { WriteRecord } from '@keelson/api-server/internal/store';
import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { ExternalCall } from '@keelson/runtime/internal/outside';
import type { Carriage, LeavingRequest } from './carried-transport.js';
import { Chronicle, type Noted } from './chronicle.js';
import { ExternalCalls } from './external-calls.js';
import type { History, Manners, Mark } from './history.js';
import { LastingRefusals } from './lasting-refusals.js';
import { OldReadings } from './old-readings.js';
import type { Disturbance, Plan, WatchBreak } from './plan.js';
import { statusAnswer } from './refused.js';
import { Strikes } from './strikes.js';
import { deletedUid, nameOfWrite } from './write-name.js';

export interface BoardOptions {
  readonly plan: Plan;
  readonly history: History;
  readonly namespaces: readonly string[];
  readonly clock: Clock & { monotonicMs(): number };
  /** The field managers of the operator begin with it. */
  readonly operatorName: string;
  readonly revision: () => number;
  /** Those of the undisturbed run. */
  readonly manners: Manners;
  readonly stirred: () => void;
  /** @param replica its number; `undefined`: the one that leads */
  readonly kill: (replica: number | undefined, staysAway: boolean) => void;
  /** Another release takes over. */
  readonly takeOver: (release: number) => void;
  /** @param resource `deployments.apps` */
  readonly breakWatch: (resource: string, how: WatchBreak) => void;
  /** An object has begun to leave. */
  readonly leaving: (resource: string, object: KubernetesObject) => void;
}

/** Lets the disturbances of a plan happen at their moments, and keeps the history of a run. */
export class Board {
  readonly #options: BoardOptions;
  readonly #strikes: Strikes;
  readonly #readings: OldReadings;
  readonly #chronicle: Chronicle;
  readonly #calls: ExternalCalls;
  readonly #refusals: LastingRefusals;
  #steals = 0;

  constructor(options: BoardOptions) {
    this.#options = options;
    const strikes = new Strikes(options.plan);
    this.#strikes = strikes;
    this.#refusals = new LastingRefusals(strikes);
    this.#chronicle = new Chronicle(options);
    this.#readings = new OldReadings({ ...options, strikes, replicas: options.plan.replicas });
    const isBehind = (replica: number): boolean => {
      const old = this.#readings.of(replica);
      return old !== undefined && old.disturbance.readers !== 'all' && this.#readings.isBehind(old);
    };
    this.#calls = new ExternalCalls({ ...options, strikes, isBehind });
  }

  /** The disturbances that have happened. */
  get struck(): Set<Disturbance> {
    return this.#strikes.struck;
  }

  /** A process that read an old state after it had been started has called an external. */
  get hasCalledBehind(): boolean {
    return this.#calls.hasCalledBehind;
  }

  /** Whether any process may not have seen yet what is new. */
  get isAnyBehind(): boolean {
    return this.#readings.isAnyBehind;
  }

  /** Interferes between a process and the server. */
  carriagesOf(replica: number): { readonly cache: Carriage; readonly rest: Carriage } {
    const old = this.#readings.of(replica);
    return {
      cache: this.#readings.carriageOf(replica),
      rest: this.#writing(replica, () => old !== undefined && this.#readings.isBehind(old)),
    };
  }

  #writing(replica: number, isBehind: () => boolean): Carriage {
    const marks = new WeakMap<LeavingRequest, Mark & { readonly on: 'write' }>();
    const { history } = this.#options;
    return {
      leaving: (request) => {
        const named = nameOfWrite(request);
        if (named === undefined) return undefined;
        const mark = history.mark('write', named.what);
        const isOld = isBehind();
        this.#chronicle.writing(named.object, { isOld });
        marks.set(request, mark);
        const lasting = this.#refusals.answerTo(mark);
        if (lasting !== undefined) return { do: 'answer', answer: lasting };
        const refusal = this.#strikes.at('refuse', mark);
        if (refusal !== undefined) return { do: 'answer', answer: statusAnswer(refusal.status) };
        if (isOld) history.excuse(deletedUid(request) ?? '');
        return undefined;
      },
      answered: (request, { status }) => {
        const mark = marks.get(request);
        if (mark === undefined || status >= 300) return true;
        history.writes.push({ ...mark, status });
        if (this.#strikes.at('lose', mark) !== undefined) return false;
        const takeover = this.#strikes.at('release', mark);
        const kill = this.#strikes.at('kill', mark);
        if (takeover !== undefined) this.#options.takeOver(takeover.release);
        if (kill !== undefined) this.#options.kill(replica, kill.staysAway);
        return takeover === undefined && kill === undefined;
      },
    };
  }

  /** Called with each change of the store, before others hear of it. */
  changed(record: WriteRecord, step: number): void {
    const noted = this.#chronicle.changed(record, step);
    if (noted !== undefined && !this.#strikes.isMended) this.#strikeAt(noted, record.revision);
  }

  #strikeAt({ mark, resource }: Noted, revision: number): void {
    this.#readings.changed(mark, revision);
    const broken = this.#strikes.at('break-watch', mark);
    if (broken !== undefined) this.#options.breakWatch(resource, broken.how);
    if (broken?.how === 'expires') this.#readings.lose(resource);
    if (this.#strikes.at('steal', mark) !== undefined) this.#steals += 1;
    const takeover = this.#strikes.at('release', mark);
    if (takeover !== undefined) queueMicrotask(() => this.#options.takeOver(takeover.release));
    const kill = this.#strikes.at('kill', mark);
    // Not amid the write.
    if (kill !== undefined) queueMicrotask(() => this.#options.kill(undefined, kill.staysAway));
  }

  /** Old states go on, even if planned otherwise. */
  goOn(): void {
    this.#readings.goOn();
  }

  stepped(step: number): void {
    this.#readings.stepped(step);
    this.#refusals.stepped(step);
  }

  mend(): void {
    this.#strikes.mend();
    this.goOn();
  }

  /** Whether the Lease is to be taken now. */
  takeSteal(): boolean {
    if (this.#steals === 0) return false;
    this.#steals -= 1;
    return true;
  }

  /** A call of an external, as it is to go. */
  called(replica: number, details: ExternalCall, call: () => unknown): unknown {
    return this.#calls.called(replica, details, call);
  }
}
