import { isRecord, type KindInfo, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from '../errors.js';
import type { Reference, ThroughModel } from '../model.js';
import { isKind } from '../option-shape.js';
import type { Towards } from './enqueue.js';

/** References of another watched kind as `watch` takes them; `TKind` is that kind's name. Opaque: made by {@link through}. */
export interface Through<out TKind extends string = string> extends ThroughModel, Towards<`~through ${TKind}`> {
  readonly '~through'?: never;
}

/**
 * Reconciles through another watched kind: a Secret has changed, so every ServiceMonitor that names it counts as changed, and with it the objects that select
 * the ServiceMonitor.
 *
 * The controller watches that kind as well, and the `enqueue` of those watches says whom a ServiceMonitor concerns. The references are kept as an index of the
 * watched objects, so a change of an object that none of them names reconciles nothing. The function is pure, and looks at its object only. It needs no right.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   watches: {
 *     pods: watch(Pod, { enqueue: toOwner(Memcached) }),
 *     secrets: watch(Secret, { enqueue: through(Pod, ({ spec }) => (spec?.imagePullSecrets ?? []).map(({ name }) => ({ name }))) }),
 *   },
 *   reconcile: async ({ done }) => done(),
 * });
 * ```
 *
 * @param kind a kind that the controller watches with an `enqueue`; one that it does not watch does not compile
 * @param references what an object of that kind refers to; all names are of the watched kind
 * @throws DefinitionError when there is no kind or no function; `defineController` throws it when no other watch of that kind has an `enqueue`
 */
export function through<T extends KubernetesObject>(
  kind: KindInfo<T>,
  references: (object: NoInfer<T>) => readonly Reference[],
): Through<T['kind']> {
  const problems: Problem[] = [];
  if (!isKind(kind)) problems.push({ path: 'kind', message: 'is not a kind; give a kind that the controller watches' });
  if (typeof references !== 'function')
    problems.push({ path: 'references', message: 'is not a function; write one from the object to what it refers to: [{ name }]' });
  if (problems.length > 0) throw new DefinitionError('through', problems);
  return Object.freeze({ through: kind, references: references as ThroughModel['references'] });
}

export function isThrough(enqueue: unknown): enqueue is ThroughModel {
  return isRecord(enqueue) && isKind(enqueue['through']) && typeof enqueue['references'] === 'function';
}

/** A part of a watch that says whether a change can go on through it. */
interface OtherWatch {
  readonly kind: KindInfo;
  readonly enqueue?: unknown;
}

/** Whether a change that goes through this kind goes on through that watch. */
export function leadsOn({ through: kind }: ThroughModel, { kind: other, enqueue }: OtherWatch): boolean {
  return (
    enqueue !== undefined && !isThrough(enqueue) && other.group === kind.group && other.kind === kind.kind && other.version === kind.version
  );
}

/** Without such a watch nothing would ever run, without a word. */
export function throughProblems(enqueue: ThroughModel, watches: readonly OtherWatch[], path: string): Problem[] {
  if (watches.some((watch) => leadsOn(enqueue, watch))) return [];
  const { kind, version } = enqueue.through;
  const message = `goes through ${kind} ${version}, which no watch of the controller reconciles by; declare watch(${kind}, { enqueue: ... }) beside it`;
  return [{ path, message }];
}
