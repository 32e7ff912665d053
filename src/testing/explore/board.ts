import type { Clock } from '../../api-server/index.js';
import type { WriteRecord } from '../../api-server/store/index.js';
import type { KubernetesObject } from '../../kubernetes/index.js';
import type { ExternalCall } from '../../runtime/outside/index.js';
import { type Carriage, isWatch, type LeavingRequest, type Passage, type WholeAnswer } from './carried-transport.js';
import { distorted, type ExternalFault, emptied, unheardOf } from './external-faults.js';
import { type History, isSame, type Manners, type Mark, nameOf } from './history.js';
import { OldState } from './old-state.js';
import type { Disturbance, Plan, WatchBreak } from './plan.js';
import { USER } from './user-name.js';
import { deletedUid, nameOfWrite } from './write-name.js';

export interface BoardOptions {
  readonly plan: Plan;
  readonly history: History;
  readonly namespace: string;
  /** Volumes of claims are cared for by the server. */
  readonly runsPods: boolean;
  readonly clock: Clock & { monotonicMs(): number };
  /** The field managers of the operator begin with it. */
  readonly operatorName: string;
  readonly revision: () => number;
  /** Those of the undisturbed run. */
  readonly manners: Manners;
  readonly stirred: () => void;
  /** @param replica its number; `undefined`: the one that leads */
  readonly kill: (replica: number | undefined, staysAway: boolean) => void;
  /** @param resource `deployments.apps` */
  readonly breakWatch: (resource: string, how: WatchBreak) => void;
}

export const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';

type Of<TDo extends Disturbance['do']> = Disturbance & { readonly do: TDo };

interface OldReading {
  readonly disturbance: Of<'stand-still'>;
  readonly state: OldState;
}

/** Written by the control plane, or by the runtime for itself. */
const IGNORED: ReadonlySet<string> = new Set(['leases', 'events', 'namespaces', 'serviceaccounts', 'customresourcedefinitions']);
/** Begins the names of methods that change something. */
const DEED =
  /^(?:add|attach|create|delete|detach|ensure|grow|make|patch|post|provision|put|register|remove|resize|save|set|start|stop|update|write)/;
/** A call that times out. */
const TIMEOUT_MS = 5_000;
/** A process that has read an old state needs some time to list anew. */
const CATCHING_UP_MS = 5_000;

/** Lets the disturbances of a plan happen at their moments, and keeps the history of a run. */
export class Board {
  readonly struck: Set<Disturbance> = new Set();
  /** Claims that are deleted, and wait for those that use them. */
  readonly leavingClaims: KubernetesObject[] = [];
  /** A process that read an old state after it had been started has called an external: no uid protects what is outside. */
  hasCalledBehind = false;
  readonly #options: BoardOptions;
  readonly #oldStates: readonly OldReading[];
  readonly #known = new Map<string, KubernetesObject>();
  /** Answers of each question since another method of the external was called: what the operator has done itself it may read at once. */
  readonly #answers = new Map<string, { readonly external: string; readonly method: string; values: unknown[] }>();
  /** Objects that a process which read an old state has written, as `configmaps/a`. */
  readonly #fromOldStates = new Set<string>();
  #wentOnMs = Number.NEGATIVE_INFINITY;
  #steals = 0;
  #isMended = false;

  constructor(options: BoardOptions) {
    this.#options = options;
    this.#oldStates = this.#of('stand-still').map((disturbance) => ({ disturbance, state: new OldState() }));
  }

  #of<TDo extends Disturbance['do']>(what: TDo): Of<TDo>[] {
    return this.#options.plan.disturbances.filter((disturbance): disturbance is Of<TDo> => disturbance.do === what);
  }

  #at<TDo extends 'kill' | 'lose' | 'refuse' | 'break-watch' | 'steal'>(what: TDo, mark: Mark): Of<TDo> | undefined {
    if (this.#isMended) return undefined;
    const found = this.#of(what).find((disturbance) => isSame(disturbance.at, mark) && !this.struck.has(disturbance));
    if (found !== undefined) this.struck.add(found);
    return found;
  }

  /** Interferes between a process and the server. */
  carriagesOf(replica: number): { readonly cache: Carriage; readonly rest: Carriage } {
    const old = this.#oldStateOf(replica);
    return {
      cache: { leaving: (request) => (old === undefined ? undefined : this.#reading(old, request)), answered: () => true },
      rest: this.#writing(replica, () => old !== undefined && this.#isBehind(old.state)),
    };
  }

  /** The old state that a process reads. `undefined` if it reads the newest. */
  #oldStateOf(replica: number): OldReading | undefined {
    return this.#oldStates.find(({ disturbance: { readers } }) => {
      if (readers === 'all') return true;
      return readers === 'restarted' ? replica >= this.#options.plan.replicas : replica === 1;
    });
  }

  /** Whether any process may not have seen yet what is new. */
  get isAnyBehind(): boolean {
    return this.#oldStates.some(({ state }) => this.#isBehind(state));
  }

  /** Whether those that read from it may not have seen yet what is new. */
  #isBehind({ revision }: OldState): boolean {
    return revision !== undefined || this.#options.clock.monotonicMs() < this.#wentOnMs + CATCHING_UP_MS;
  }

  #reading(
    { state, disturbance }: { readonly state: OldState; readonly disturbance: Disturbance },
    { path }: LeavingRequest,
  ): Passage | undefined {
    if (isWatch(path)) return { do: 'gate', gate: state.gate() };
    const { revision } = state;
    const url = new URL(path, 'http://server');
    if (revision === undefined || url.searchParams.has('continue')) return undefined;
    this.struck.add(disturbance);
    url.searchParams.set('resourceVersion', String(revision));
    url.searchParams.set('resourceVersionMatch', 'Exact');
    return { do: 'carry', path: `${url.pathname}?${url.searchParams.toString()}` };
  }

  #writing(replica: number, isBehind: () => boolean): Carriage {
    const marks = new WeakMap<LeavingRequest, Mark & { readonly on: 'write' }>();
    return {
      leaving: (request) => {
        const named = nameOfWrite(request);
        if (named === undefined) return undefined;
        const mark = this.#options.history.mark('write', named.what);
        const isOld = isBehind();
        if (isOld) this.#fromOldStates.add(named.object);
        else this.#fromOldStates.delete(named.object);
        marks.set(request, mark);
        const refusal = this.#at('refuse', mark);
        if (refusal !== undefined) return { do: 'answer', answer: refused(refusal.status) };
        if (isOld) this.#options.history.excuse(deletedUid(request) ?? '');
        return undefined;
      },
      answered: (request, { status }) => {
        const mark = marks.get(request);
        if (mark === undefined || status >= 300) return true;
        this.#options.history.writes.push({ ...mark, status });
        if (this.#at('lose', mark) !== undefined) return false;
        const kill = this.#at('kill', mark);
        if (kill === undefined) return true;
        this.#options.kill(replica, kill.staysAway);
        return false;
      },
    };
  }

  /** Called with each change of the store, before others hear of it. */
  changed({ key, revision, object }: WriteRecord, step: number): void {
    const { namespace, history } = this.#options;
    // The store says `deployments.apps`, and `web.example.com/websites` of a custom resource.
    const inGroup = key.resource.split('/').reverse().join('.');
    const resource = inGroup.split('.')[0] ?? '';
    if ((key.namespace !== namespace && key.namespace !== '') || IGNORED.has(resource) || key.name === 'kube-root-ca.crt') return;
    const id = `${key.resource} ${key.namespace} ${key.name}`;
    const before = this.#known.get(id);
    const now = object as KubernetesObject | undefined;
    const shown = now ?? before;
    if (shown === undefined) return;
    const isNew = now !== undefined && now.metadata.uid !== before?.metadata.uid;
    const isEnded = now === undefined || now.metadata.deletionTimestamp !== undefined;
    if (now === undefined) this.#known.delete(id);
    else this.#known.set(id, now);
    if (isNew) this.#begun(resource, now);
    else if (now !== undefined && before !== undefined && this.#isGivenAway(now, before, resource)) history.excuse(now.metadata.uid ?? '');
    const life = history.lives.get(shown.metadata.uid ?? '');
    if (
      resource === 'persistentvolumeclaims' &&
      now !== undefined &&
      isEnded &&
      !this.#options.runsPods &&
      now.metadata.finalizers?.includes(CLAIM_PROTECTION)
    )
      this.leavingClaims.push(now);
    if (isEnded && life !== undefined) life.hasEnded = true;
    const mark = history.mark('change', nameOf(shown));
    history.changes.push({ ...mark, did: isNew ? 'made' : isEnded ? 'deleted' : 'changed', step });
    this.#strikeAt(mark, { revision, resource: inGroup });
  }

  #begun(resource: string, object: KubernetesObject): void {
    const { history, operatorName } = this.#options;
    const { uid = '', managedFields = [], ownerReferences = [] } = object.metadata;
    const manager = (managedFields[0] as { readonly manager?: string } | undefined)?.manager ?? '';
    const by = manager === operatorName || manager.startsWith(`${operatorName}/`) ? 'operator' : manager === USER ? 'user' : 'other';
    const isOrphan = this.#isOrphan(object);
    const isOld = this.#fromOldStates.has(idOf(resource, object));
    history.lives.set(uid, {
      what: nameOf(object),
      kind: object.kind ?? '',
      by,
      // A controller of the platform follows an owner that is excused: the revisions of a StatefulSet, for example.
      isExcused:
        by === 'operator'
          ? isOrphan || isOld
          : by === 'other' && ownerReferences.some((owner) => history.lives.get(owner.uid)?.isExcused === true),
      // Pods of a StatefulSet, for example.
      isNamed: object.metadata.generateName === undefined && ownerReferences.length > 0,
      owners: ownerReferences.map((owner) => owner.uid),
      hasEnded: false,
    });
  }

  /** Whether a process that reads an old state gave it to an owner that is gone, with which the garbage collector takes it. */
  #isGivenAway(now: KubernetesObject, before: KubernetesObject, resource: string): boolean {
    return this.#fromOldStates.has(idOf(resource, now)) && this.#isOrphan(now) && !this.#isOrphan(before);
  }

  /** Whether one of its owners is gone, or going. */
  #isOrphan({ metadata: { ownerReferences = [] } }: KubernetesObject): boolean {
    const lives = [...this.#known.values()];
    return ownerReferences.some(
      (owner) => !lives.some(({ metadata }) => metadata.uid === owner.uid && metadata.deletionTimestamp === undefined),
    );
  }

  #strikeAt(mark: Mark, { revision, resource }: { readonly revision: number; readonly resource: string }): void {
    if (this.#isMended) return;
    for (const { disturbance, state } of this.#oldStates) {
      if (isSame(disturbance.from, mark)) {
        state.standStill(revision);
        if (disturbance.readers === 'all') this.struck.add(disturbance);
      } else if ('nth' in disturbance.until && isSame(disturbance.until, mark)) queueMicrotask(() => this.#goOn(state, disturbance));
    }
    const broken = this.#at('break-watch', mark);
    if (broken !== undefined) this.#options.breakWatch(resource, broken.how);
    if (this.#at('steal', mark) !== undefined) this.#steals += 1;
    const kill = this.#at('kill', mark);
    // Not amid the write.
    if (kill !== undefined) queueMicrotask(() => this.#options.kill(undefined, kill.staysAway));
  }

  #goOn(state: OldState, { how }: Of<'stand-still'>): void {
    if (state.revision === undefined) return;
    this.#wentOnMs = this.#options.clock.monotonicMs();
    state.goOn(how);
  }

  /** Old states go on, even if planned otherwise. */
  goOn(): void {
    for (const { disturbance, state } of this.#oldStates) this.#goOn(state, disturbance);
  }

  stepped(step: number): void {
    for (const { disturbance, state } of this.#oldStates)
      if ('step' in disturbance.until && disturbance.until.step <= step) this.#goOn(state, disturbance);
  }

  mend(): void {
    this.#isMended = true;
    this.goOn();
  }

  takeLeavingClaims(): readonly KubernetesObject[] {
    return this.leavingClaims.splice(0);
  }

  /** Whether the Lease is to be taken now. */
  takeSteal(): boolean {
    if (this.#steals === 0) return false;
    this.#steals -= 1;
    return true;
  }

  /** A call of an external, as it is to go. */
  called(replica: number, details: ExternalCall, call: () => unknown): unknown {
    const old = this.#oldStateOf(replica);
    if (old !== undefined && old.disturbance.readers !== 'all' && this.#isBehind(old.state)) this.hasCalledBehind = true;
    const { external, method, arguments: given } = details;
    const { history, stirred } = this.#options;
    const what = `${external}.${method}`;
    const mark = history.mark('call', what);
    history.calls.push(mark);
    stirred();
    const found = this.#isMended
      ? undefined
      : this.#of('external').find(({ at, times }) => at.what === what && mark.nth >= at.nth && mark.nth < at.nth + times);
    if (found?.fault === 'fails') {
      this.struck.add(found);
      const failure = new Error(`${what}: connection refused`);
      if (this.#options.manners.direct.has(what)) throw failure;
      return Promise.reject(failure);
    }
    const answer = call();
    const asked = `${what} ${textOf(given)}`;
    const answered = (value: unknown): unknown => {
      stirred();
      if (value === undefined || value === null) history.manners.absences.add(what);
      // A method that answers nothing, or is named after a deed, has changed something.
      if (value === undefined || DEED.test(method)) this.#forgetAnswers(details);
      const before = this.#remember(asked, details, value);
      return found === undefined ? value : this.#faulty(found, { value, before, what, nth: mark.nth });
    };
    if (!(answer instanceof Promise)) {
      history.manners.direct.add(what);
      if (found?.fault === 'times out' && answer === undefined) {
        this.struck.add(found);
        throw timedOut(what);
      }
      return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer ? answer : answered(answer);
    }
    if (found?.fault === 'times out') {
      this.struck.add(found);
      return answer.then(() => this.#later(what));
    }
    return answer.then(answered, (error: unknown) => {
      stirred();
      throw error;
    });
  }

  #later(what: string): Promise<never> {
    const { clock, stirred } = this.#options;
    return new Promise((_, reject) => {
      clock.schedule(TIMEOUT_MS, () => {
        stirred();
        reject(timedOut(what));
      });
    });
  }

  /** @returns another answer than this one that was given before, if there is one */
  #remember(asked: string, { external, method }: ExternalCall, value: unknown): { readonly answer: unknown } | undefined {
    const known = this.#answers.get(asked) ?? { external, method, values: [] };
    const text = textOf(value);
    const before = known.values.findLast((answer) => textOf(answer) !== text);
    if (known.values.length === 0 || textOf(known.values.at(-1)) !== text) known.values.push(copied(value));
    this.#answers.set(asked, known);
    return before === undefined ? undefined : { answer: before };
  }

  /** An operator may read at once what it has changed itself. */
  #forgetAnswers({ external, method }: ExternalCall): void {
    for (const [asked, known] of this.#answers) if (known.external === external && known.method !== method) this.#answers.delete(asked);
  }

  #faulty(
    found: Of<'external'>,
    {
      value,
      before,
      what,
      nth,
    }: { readonly value: unknown; readonly before: { readonly answer: unknown } | undefined; readonly what: string; readonly nth: number },
  ): unknown {
    const faulty = answerOf(found.fault, { value, before, mayBeAbsent: this.#options.manners.absences.has(what), nth });
    if (faulty === undefined) return value;
    this.struck.add(found);
    return faulty.answer;
  }
}

function idOf(resource: string, { metadata: { name = '', generateName } }: KubernetesObject): string {
  return `${resource}/${generateName !== undefined && name.startsWith(generateName) ? `${generateName}*` : name}`;
}

interface Answered {
  readonly value: unknown;
  readonly before: { readonly answer: unknown } | undefined;
  readonly mayBeAbsent: boolean;
  readonly nth: number;
}

function answerOf(fault: ExternalFault, { value, before, mayBeAbsent, nth }: Answered): { readonly answer: unknown } | undefined {
  switch (fault) {
    case 'answers empty':
      return emptied(value, mayBeAbsent);
    case 'answers stale':
      return before;
    case 'answers with an unknown word':
      return unheardOf(value, nth);
    case 'answers wrong':
      return distorted(value, nth);
    default:
      return undefined;
  }
}

function timedOut(what: string): Error {
  return new Error(`${what}: timed out`);
}

const REASONS = { 409: 'Conflict', 429: 'TooManyRequests', 500: 'InternalError', 503: 'ServiceUnavailable' } as const;

function refused(status: 409 | 429 | 500 | 503): WholeAnswer {
  const message =
    status === 409 ? 'the object has been modified; please apply your changes to the latest version and try again' : 'try again later';
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: REASONS[status], code: status };
  return { status, body: Buffer.from(JSON.stringify(body)) };
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // A value that is not JSON, such as a cycle, is compared by its text.
    return String(value);
  }
}

/** Copies an answer: a fake may change it later. */
function copied(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    // Functions cannot be copied, and do not change.
    return value;
  }
}
