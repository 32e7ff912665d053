import { groupVersionOf, humanDuration, type KindInfo, type KubernetesObject, printable } from '@keelson/kubernetes/apimachinery';
import type { EndedRun, RunTarget } from './messages.js';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface Row {
  readonly object: string;
  readonly state: string;
  readonly message: string;
}

/** The condition that sums the others up: `Ready`, else the first one. */
function summaryOf(object: KubernetesObject): Condition | undefined {
  const { status } = object as { readonly status?: { readonly conditions?: readonly Condition[] } };
  const conditions = Array.isArray(status?.conditions) ? (status.conditions as readonly Condition[]) : [];
  return conditions.find(({ type }) => type === 'Ready') ?? conditions[0];
}

/** `Memcached default/main`, as messages name an object. */
export function nameOf({ kind, metadata: { namespace, name = '' } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** The object for a run; `undefined` for an object of a kind that no controller is for. */
export function targetOf(
  { apiVersion, kind, metadata: { namespace, name = '' } }: KubernetesObject,
  reconciled: readonly KindInfo[],
): RunTarget | undefined {
  const { group } = groupVersionOf(apiVersion);
  if (!reconciled.some((each) => each.group === group && each.kind === kind)) return undefined;
  return { group, kind, object: namespace === undefined ? name : `${namespace}/${name}` };
}

/** Whether the row of an object holds a text. */
export function isShown(object: KubernetesObject, filter: string): boolean {
  return filter === '' || rowText(rowOf(object)).includes(filter.toLowerCase());
}

const rowText = ({ object, state, message }: Row): string => `${object} ${state} ${message}`.toLowerCase();

/** `Ready=False WaitingForPods: 1 of 3 Pods is ready`, or that the object has no condition yet. */
export function stateOf(object: KubernetesObject): string {
  const { state, message } = rowOf(object);
  return message === '' ? state : `${state}: ${message}`;
}

function rowOf(object: KubernetesObject): Row {
  const { deletionTimestamp } = object.metadata as { readonly deletionTimestamp?: string };
  const condition = summaryOf(object);
  const deleting = deletionTimestamp === undefined ? '' : 'being deleted, ';
  if (condition === undefined) return { object: nameOf(object), state: `${deleting}no condition yet`, message: '' };
  const { type, status, reason = '', message = '' } = condition;
  return { object: nameOf(object), state: `${deleting}${type}=${status}${reason === '' ? '' : ` ${reason}`}`, message: oneLine(message) };
}

export interface TableOptions {
  readonly now: Date;
  /** By the name of the object: when its last run ended, and why it ran. @defaultValue none */
  readonly runs?: ReadonlyMap<string, EndedRun> | undefined;
  /** Only objects whose name, kind or condition holds this text. */
  readonly filter: string;
  readonly rows: number;
}

/** The objects of an operator, one line each, and a line that says how many are not shown. */
export function objectTable(
  objects: readonly KubernetesObject[],
  { now, filter, rows, runs = new Map() }: TableOptions,
): readonly string[] {
  const all = objects
    .map((object) => ({ ...rowOf(object), age: ageOf(object, now), run: runText(runs.get(nameOf(object)), now) }))
    .filter((row) => filter === '' || rowText(row).includes(filter.toLowerCase()));
  const shown = all.slice(0, Math.max(1, rows));
  const [objectWidth, stateWidth] = [widest(shown.map(({ object }) => object)), widest(shown.map(({ state }) => state))];
  const runWidth = widest(shown.map(({ run }) => run));
  const lines = shown.map(({ object, state, age, run, message }) =>
    [
      `  ${object.padEnd(objectWidth)}`,
      age.padStart(4),
      state.padEnd(stateWidth),
      ...(runWidth === 0 ? [] : [run.padEnd(runWidth)]),
      message,
    ]
      .join('  ')
      .trimEnd(),
  );
  return all.length > shown.length ? [...lines, `  ... and ${all.length - shown.length} more`] : lines;
}

/** `3s ago, 12 ms, owned: success`. */
function runText(run: EndedRun | undefined, now: Date): string {
  if (run === undefined) return '';
  const { outcome, triggers, startedAt } = run;
  const took = Math.round(outcome?.tookMs ?? 0);
  const ago = humanDuration(Math.max(0, now.getTime() - Date.parse(startedAt)));
  return `${ago} ago, ${took} ms, ${[...new Set(triggers.map(({ cause }) => cause))].join(' and ')}: ${outcome?.result ?? 'runs still'}`;
}

function ageOf({ metadata }: KubernetesObject, now: Date): string {
  const { creationTimestamp } = metadata as { readonly creationTimestamp?: string };
  return creationTimestamp === undefined ? '' : humanDuration(now.getTime() - Date.parse(creationTimestamp));
}

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length));

/** Texts of objects must neither move the cursor nor take a second line. */
function oneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' '));
}
