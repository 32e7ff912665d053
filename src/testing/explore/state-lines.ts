import { createHmac, randomBytes } from 'node:crypto';
import { isRecord, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { masked } from '../cluster/index.js';
import type { Ending } from './ending.js';
import { type History, prefixOf } from './history.js';
import { withoutNamesOfRun } from './names-of-run.js';

/** Fields that differ only because an object was written more often, or addresses that are drawn. */
const MASK = [
  'metadata.generation',
  'status.observedGeneration',
  'status.conditions.*.observedGeneration',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
];

/**
 * Objects of the operator and of the user, as lines that do not depend on how they came about.
 *
 * @param isMeant `undefined`: all of them
 */
export function stateLines(
  { objects, history: { lives } }: Pick<Ending, 'objects' | 'history'>,
  mask: readonly string[],
  isMeant?: (object: KubernetesObject) => boolean,
): string[] {
  const isShown = (object: KubernetesObject): boolean =>
    ['operator', 'user'].includes(lives.get(object.metadata.uid ?? '')?.by ?? '') && isMeant?.(object) !== false;
  // Statuses hold generated names of objects that are not shown.
  const marked = objects.map((object) => ({ ...object, isShown: isShown(object), prefix: prefixOf(object.metadata.namespace) }));
  return masked(marked, { mask: [...MASK, ...mask] })
    .map((object) => {
      const { isShown, prefix, ...rest } = object as KubernetesObject & { readonly isShown: boolean; readonly prefix: string };
      return { isShown, title: `${object.kind} ${prefix}${object.metadata.name ?? ''}`, rest: withoutEmptyStatus(rest) };
    })
    .filter((one) => one.isShown)
    .sort((a, b) => (a.title < b.title ? -1 : 1))
    .flatMap(({ title, rest }) => linesOf(rest, '').map((line) => lineOf(`${title} ${line}`, lives)));
}

/** Annotations too: kubectl keeps the whole Secret in one. */
const DATA = /^(Secret \S+ (?:data|stringData|metadata\.annotations)\.[^:]*: )(.*)$/s;

/** Each process has its own: with a plain hash, readers of a report could try passwords. */
const KEY = randomBytes(32);

/** A line without the names of the run. Data of Secrets are compared, and never printed. */
function lineOf(line: string, lives: History['lives']): string {
  const blank = withoutNamesOfRun(line, lives);
  return blank.replace(DATA, (_, field: string, value: string) => `${field}<hidden, hash ${digestOf(value)}>`);
}

function digestOf(text: string): string {
  return createHmac('sha256', KEY).update(text).digest('hex').slice(0, 12);
}

/** Conditions have no order: they are found by their type. */
function inOrder(items: readonly unknown[]): readonly unknown[] {
  const types = items.map((item) => (isRecord(item) ? item['type'] : undefined));
  if (!types.every((type) => typeof type === 'string')) return items;
  return [...items].sort((a, b) => ((a as { readonly type: string }).type < (b as { readonly type: string }).type ? -1 : 1));
}

/** An empty status says what a missing one says: a writer that takes its last field out leaves `{}`. In other fields the difference is their authors' affair. */
function withoutEmptyStatus(object: object): object {
  const { status, ...rest } = object as { readonly status?: unknown };
  return isRecord(status) && Object.values(status).every((field) => field === undefined) ? rest : { ...rest, status };
}

/** A value as lines, each with the path of what it shows. */
export function linesOf(value: unknown, path: string): string[] {
  if (Array.isArray(value))
    return value.length === 0 ? [`${path}: []`] : inOrder(value).flatMap((item, index) => linesOf(item, `${path}[${index}]`));
  if (isRecord(value)) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    if (fields.length === 0) return [`${path}: {}`];
    return fields.flatMap(([name, field]) => linesOf(field, path === '' ? name : `${path}.${name}`));
  }
  // The hash is about the owner's uid too.
  return [`${path}: ${path.endsWith('keelson.dev/applied') ? '<hash>' : JSON.stringify(value)}`];
}
