import type { PodControls } from '../../api-server/index.js';
import { type KubernetesObject, messageOf } from '../../kubernetes/index.js';
import { isNotFound, mergePatch } from '../../runtime/client/index.js';
import { HIDDEN } from '../../runtime/masking/index.js';
import { Act, linesOf } from './act.js';
import type { Ending, Setting } from './ending.js';
import { Finding } from './finding.js';
import { History } from './history.js';
import type { Disturbance, Plan } from './plan.js';
import type { Step } from './story.js';
import { brokenStatus, lagOf, untruthOf } from './truth.js';
import type { World } from './world.js';

/** Quiet is judged for so long, and things in flight get so long to come down. */
const QUIET = '20s';
const QUIET_MS = 20_000;
/** A difference is looked at again after this time: an operator may wait before it tries again. */
const PATIENCE = '10m';

export interface Played {
  readonly ending: Ending;
  readonly finding: Finding | undefined;
}

export interface PlayOptions {
  readonly namespace: string;
  readonly random: () => number;
  /** The undisturbed run of the same steps. `undefined`: this is it. */
  readonly reference: Ending | undefined;
  /** Timers that fire before a user gives up waiting. */
  readonly mostSteps?: number | undefined;
}

/** Most writes of an undisturbed story. */
const MOST_WRITES = 300;

/** Plays a story as it is planned, and judges it. */
export async function play(
  world: World,
  setting: Setting,
  plan: Plan,
  { namespace, random, reference, mostSteps }: PlayOptions,
): Promise<Played> {
  world.begin(namespace);
  const externals = setting.externals();
  const act = new Act(world, {
    namespace,
    plan,
    random,
    externals,
    manners: reference?.history.manners ?? new History().manners,
    mostSteps,
    mostWrites: reference === undefined ? MOST_WRITES : 10 * reference.history.writes.length + 300,
  });
  const outside = async (): Promise<string[]> =>
    setting.outside === undefined ? [] : linesOf(await setting.outside(externals as never), '').map((line) => `outside: ${line}`);
  const stateNow = async (): Promise<string[]> => [...act.state(setting.ignore), ...(await outside())];
  const ended = (state: readonly string[]): Ending => ({
    state,
    history: act.history,
    struck: act.struck,
    objects: act.objects,
    problems: act.troubles,
    longestWait: act.longestWait,
    isOutsideExcused: act.hasCalledBehind,
  });
  let finding: Finding | undefined;
  let ending: Ending | undefined;
  try {
    act.start();
    await performed(act, { setting, plan });
    act.mend();
    await act.settled();
    await act.pass(Math.max(act.silentMs, QUIET_MS));
    await act.settled();
    let state = await stateNow();
    if (reference !== undefined && state.join('\n') !== reference.state.join('\n')) {
      await act.pass(PATIENCE);
      await act.settled();
      state = await stateNow();
    }
    ending = ended(state);
    const before = act.history.writes.length;
    await judged(act, setting);
    if (reference !== undefined) compare(ending, reference, setting);
    if (setting.judges.status) truth(act);
    if (setting.judges.quiet) await quiet(act, before);
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    finding = error;
  } finally {
    ending ??= ended([]);
    await act.end();
  }
  return { ending, finding };
}

async function performed(act: Act, { setting, plan }: { readonly setting: Setting; readonly plan: Plan }): Promise<void> {
  for (const index of plan.steps) {
    const step = setting.steps[index];
    if (step === undefined) continue;
    act.step = index;
    await played(act, step, index);
    await paused(act, plan.hurries[index]);
    await wronged(act, index, plan);
    act.stepped(index);
    await judged(act, setting);
  }
}

/** @param before the number of writes when the story had come to rest */
async function quiet(act: Act, before: number): Promise<void> {
  await act.pass(QUIET);
  const since = act.history.writes.slice(before).map(({ what }) => what);
  if (since.length === 0) return;
  const examples = [...new Set(since)].slice(0, 3);
  throw new Finding('quiet', `nothing happens, and within ${QUIET} the operator writes ${since.length} times`, examples);
}

/** @throws Finding with the step that is refused */
async function played(act: Act, step: Step<never>, index: number): Promise<void> {
  try {
    await step.play(act as never);
  } catch (error) {
    if (error instanceof Finding) throw error;
    throw new Finding('stuck', `step ${index + 1} of the story fails`, [messageOf(error)]);
  }
}

async function paused(act: Act, hurry: number | undefined): Promise<void> {
  if (hurry === undefined) return act.settled();
  for (let left = hurry; left > 0; left -= 1) await act.tick();
}

async function judged(act: Act, { invariant }: Setting): Promise<void> {
  if (invariant === undefined) return;
  try {
    if ((await invariant(act as never)) === false) throw new Error('the invariant is false');
  } catch (error) {
    if (error instanceof Finding) throw error;
    const [first = '', ...rest] = messageOf(error).split('\n');
    throw new Finding('invariant', first, rest.slice(0, 4));
  }
}

/** The mistakes and breakdowns that are planned after a step. */
async function wronged(act: Act, index: number, { disturbances }: Plan): Promise<void> {
  for (const disturbance of disturbances) {
    if (disturbance.do === 'mistake' && disturbance.after === index) await mistaken(act, disturbance);
    if (disturbance.do === 'break' && disturbance.after === index) await broken(act, disturbance);
  }
}

function found(act: Act, kind: string, name: string): KubernetesObject | undefined {
  return act.objects.find(
    (object) => object.kind === kind && object.metadata.name === name && object.metadata.deletionTimestamp === undefined,
  );
}

async function mistaken(act: Act, disturbance: Disturbance & { readonly do: 'mistake' }): Promise<void> {
  const { kind, name, path, value } = disturbance.mistake;
  const object = found(act, kind, name);
  const before = object === undefined ? undefined : valueAt(object, path);
  if (object === undefined || before === undefined) return;
  act.disturbed(disturbance);
  act.store(object, (now) => withValue(now, path, value));
  await paused(act, disturbance.isSeen ? undefined : 3);
  const now = found(act, kind, name);
  if (now !== undefined) act.store(now, (last) => withValue(last, path, before));
  await paused(act, undefined);
}

async function broken(act: Act, disturbance: Disturbance & { readonly do: 'break' }): Promise<void> {
  const child = found(act, disturbance.kind, disturbance.name);
  if (child === undefined) return;
  act.disturbed(disturbance);
  const mend = act.pods === undefined ? await withBrokenStatus(act, child) : await withUnreadyPods(act, act.pods, child);
  await act.settled();
  if (act.isAttentive) truth(act);
  await mend();
  await act.settled();
}

/** Where no kubelet runs Pods, the status is all that there is of a workload. @returns what undoes it */
async function withBrokenStatus(act: Act, child: KubernetesObject): Promise<() => Promise<void>> {
  const kind = await act.kinds.of({ apiVersion: child.apiVersion ?? '', kind: child.kind ?? '' });
  const { name, uid } = child.metadata;
  const before = (child as { readonly status?: object }).status ?? null;
  /** The operator runs meanwhile, and may have deleted it. Another one of its name is not concerned. */
  const set = async (status: unknown): Promise<void> => {
    if (found(act, child.kind ?? '', name ?? '')?.metadata.uid !== uid) return;
    try {
      await act.cluster.client.status(kind).patch({ namespace: act.namespace, name } as never, mergePatch({ status } as object) as never);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  };
  await set(brokenStatus(child));
  return async () => {
    await set(null);
    if (before !== null) await set(before);
  };
}

/** The Pods of the workload stop being ready; what is made meanwhile is not concerned. @returns what undoes it */
async function withUnreadyPods(act: Act, controls: PodControls, child: KubernetesObject): Promise<() => Promise<void>> {
  const { objects } = act;
  const isBelow = ({ metadata }: KubernetesObject): boolean =>
    metadata.uid === child.metadata.uid ||
    (metadata.ownerReferences ?? []).some(({ uid }) => objects.some((owner) => owner.metadata.uid === uid && isBelow(owner)));
  const isThere = (pod: KubernetesObject): boolean => act.objects.some(({ metadata }) => metadata.uid === pod.metadata.uid);
  const pods = objects.filter((object) => object.kind === 'Pod' && isBelow(object));
  const setReady = async (isReady: boolean): Promise<void> => {
    for (const pod of pods) if (isThere(pod)) await controls.setReady(pod.metadata.name ?? '', isReady);
  };
  await setReady(false);
  return () => setReady(true);
}

/** Statuses say what is so, at rest. @throws Finding */
function truth(act: Act): void {
  const { objects } = act;
  for (const owner of objects) {
    if (!act.isOwn(owner) || owner.metadata.deletionTimestamp !== undefined) continue;
    const name = `${owner.kind} ${owner.metadata.name}`;
    const lag = lagOf(owner);
    if (lag !== undefined) throw new Finding('status', `the status of ${name} is out of date`, [lag]);
    const children = objects.filter((object) => object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid));
    const untruth = untruthOf(owner, children);
    if (untruth !== undefined) throw new Finding('status', `the status of ${name} is not true`, [untruth]);
  }
}

/** @throws Finding when a run ends otherwise than the undisturbed one */
function compare(ending: Ending, reference: Ending, { judges }: Setting): void {
  for (const judge of ['deleted', 'made'] as const) {
    if (!judges[judge]) continue;
    const usual = reference.history[judge];
    for (const [what, count] of ending.history[judge])
      if (count > (usual.get(what) ?? 0))
        throw new Finding(
          judge,
          `${what} was ${judge} ${timesOf(count)}, undisturbed ${timesOf(usual.get(what) ?? 0)}`,
          differenceOf(reference.state, ending.state),
        );
  }
  const difference = differenceOf(reference.state, ending.state).filter((line) => !isExcused(line, ending));
  if (difference.length > 0) throw new Finding('state', 'it ends otherwise than undisturbed', difference);
}

/** Objects that were made from an old state, for an owner that is gone for example: their maker could not know. */
function isExcused(line: string, { history, isOutsideExcused }: Ending): boolean {
  if (/^[-+] outside:/.test(line)) return isOutsideExcused;
  return [...history.lives.values()].some((life) => life.isExcused && !life.hasEnded && line === `+ ${life.what}`);
}

function timesOf(count: number): string {
  return ['never', 'once', 'twice'][count] ?? `${count} times`;
}

/** Annotations too: kubectl keeps the whole Secret in one. */
const DATA_OF_SECRET = /^(Secret \S+ (?:data|stringData|metadata\.annotations)\b[^:]*: ).*/;

/** Lines that are missing, and lines that are too many. Objects that are missing as a whole are one line. */
export function differenceOf(wanted: readonly string[], found: readonly string[]): string[] {
  const lacking = (lines: readonly string[], other: readonly string[], sign: string): string[] => {
    const there = new Set(other);
    const titles = new Set(other.map(titleOf));
    const missing = lines.filter((line) => !there.has(line)).map((line) => (titles.has(titleOf(line)) ? line : titleOf(line)));
    return [...new Set(missing)].map((line) => `${sign} ${line.replace(DATA_OF_SECRET, `$1${HIDDEN}`)}`);
  };
  return [...lacking(wanted, found, '-'), ...lacking(found, wanted, '+')];
}

/** `ConfigMap a`. */
function titleOf(line: string): string {
  // Lines of externals have no objects.
  return line.startsWith('outside:') ? line : line.split(' ', 2).join(' ');
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, field) => (value as Readonly<Record<string, unknown>> | undefined)?.[field], object);
}

function withValue(object: KubernetesObject, [first, ...rest]: readonly string[], value: unknown): KubernetesObject {
  if (first === undefined) return value as KubernetesObject;
  const fields = object as unknown as Readonly<Record<string, KubernetesObject>>;
  return { ...fields, [first]: withValue(fields[first] as KubernetesObject, rest, value) } as unknown as KubernetesObject;
}
