import type { KindInfo, KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from '../errors.js';
import type { OwnModel, ReleasedModel } from '../model.js';
import { choice, isKind, labelSelection, mustHaveShape, nameOr, record } from '../option-shape.js';

export interface ReleaseOptions {
  /**
   * The labels that the handle had under `select`, so that the cache holds these objects alone.
   * @defaultValue all objects of the kind that the operator may see
   */
  readonly select?: { readonly labels: Readonly<Record<string, string>> } | undefined;
}

/** A handle that was taken out of `owns`. Opaque: made by {@link release}. */
export interface Released extends ReleasedModel {
  readonly '~released'?: never;
}

const SHAPE = record({ select: labelSelection }, 'not an option of a released kind');
const CHILDREN = choice('delete', 'keep');

/**
 * Says what becomes of the children of a handle that was taken out of `owns`: `delete` deletes them, `keep` takes owner and marks off and leaves them.
 *
 * Only children that the controller has applied are meant. One that was there before its owner took it is kept in either case.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   released: { configs: release(ConfigMap, 'delete') },
 *   reconcile: async ({ done }) => done(),
 * });
 * ```
 *
 * @throws DefinitionError for what is not a kind, and for another word than the two
 */
export function release(kind: KindInfo<KubernetesObject>, children: 'delete' | 'keep', options: ReleaseOptions = {}): Released {
  const subject = `release of ${nameOr(kind, 'kind', 'an unknown kind')}`;
  mustHaveShape(subject, options, SHAPE);
  const problems: Problem[] = [
    ...(isKind(kind) ? [] : [{ path: 'kind', message: 'is not a kind; give a kind of keelson/kinds' }]),
    ...(children === undefined ? [{ path: 'children', message: "is missing; write 'delete' or 'keep'" }] : CHILDREN(children, 'children')),
  ];
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  const { select } = options;
  return Object.freeze({ kind, children, ...(select === undefined ? {} : { labels: Object.freeze({ ...select.labels }) }) });
}

interface Releasing {
  readonly owns?: Readonly<Record<string, KindInfo | OwnModel>>;
  readonly released?: Readonly<Record<string, ReleasedModel>>;
}

/** A kind that is still desired has its children pruned by its own handle. */
export function releasedProblems({ owns = {}, released = {} }: Releasing): Problem[] {
  const desired = Object.entries(owns).flatMap(([name, declared]) => {
    if (isKind(declared)) return [{ name, kind: declared as KindInfo }];
    return declared?.policy?.desired === true && isKind(declared.kind) ? [{ name, kind: declared.kind }] : [];
  });
  return Object.entries(released).flatMap(([name, value]): Problem[] => {
    const path = `released.${name}`;
    if (!isKind(value?.kind) || isKind(value))
      return [{ path, message: "is not released; write release(Kind, 'delete') or release(Kind, 'keep')" }];
    const { kind } = value;
    const other = desired.find((own) => own.kind.group === kind.group && own.kind.kind === kind.kind);
    if (other === undefined) return [];
    return [
      {
        path,
        message: `is a kind that owns.${other.name} still desires; that handle deletes what is not desired any more: leave released.${name} out`,
      },
    ];
  });
}
