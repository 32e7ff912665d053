import { isRecord, type KindInfo, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { Problem } from '../errors.js';
import type { OwnModel, OwnPolicy, Verb } from '../model.js';
import { choice, flag, isKind, labelSelection, listOf, mustHaveShape, nameOr, record, text } from '../option-shape.js';
import { type MarkedOptional, optionalMark } from './optional.js';
import { verbProblems } from './verbs.js';

export interface OwnOptions<TVerb extends Verb, TDesired extends boolean, TOptional extends boolean = false> {
  /**
   * Verbs of the handle. The owner reference is written with each object; objects made this way are never pruned.
   * @defaultValue none
   */
  readonly verbs?: readonly TVerb[] | undefined;
  /**
   * Whether they are desired state: `done({ owned })` says which of them should exist, and the others are deleted.
   * @defaultValue `true` without verbs, `false` with verbs
   */
  readonly desired?: TDesired | undefined;
  /**
   * The reaction when the API server refuses a change because a field is immutable (the template of a Job, the claims of a StatefulSet): `fail` ends in a
   * condition that names the field, `recreate` deletes the child and makes it anew, `keep` leaves it as it is.
   * @defaultValue `'fail'`
   */
  readonly onImmutable?: 'fail' | 'recreate' | 'keep' | undefined;
  /**
   * The fate of a child when its owner is deleted: with `orphan` it stays, however the owner is deleted and whether the operator runs or not. Such a child
   * carries no owner reference, an annotation names its owner. Data are worth it.
   * @defaultValue `'delete'`
   */
  readonly onDelete?: 'delete' | 'orphan' | undefined;
  /**
   * `once`: made when it was never made before. One that is gone is not made again, and one that is there is not changed: Jobs.
   * @defaultValue `'always'`
   */
  readonly existence?: 'always' | 'once' | undefined;
  /**
   * Whether an object of the child's name that is there and has no controller is taken over. It is let go of, not deleted, when it is desired no longer and when
   * its owner goes, unless `onDelete: 'delete'` is written beside it.
   * @defaultValue `'never'`: the run fails and names the object
   */
  readonly adopt?: 'never' | 'unowned' | undefined;
  /**
   * Labels that each child carries, so that the cache holds these objects alone and not every one of the kind: `{ labels: { app: 'memcached' } }`. They are written
   * with each child. A right cannot be narrowed by labels.
   * @defaultValue all objects of the kind that the operator may see
   */
  readonly select?: { readonly labels: Readonly<Record<string, string>> } | undefined;
  /**
   * How the children of a child that is deleted follow it.
   * @defaultValue `'Background'`, as the API server does
   */
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined;
  /**
   * Whether the operator works without the kind: its handle has `isServed`, and the kind is watched as soon as its CustomResourceDefinition is installed. The rights are the same.
   * @defaultValue `false`: the controller waits until the API server serves the kind
   */
  readonly optional?: TOptional | undefined;
  /**
   * Names that the handle had in releases before. Children with `existence: 'once'` are remembered by the name of their handle; without it they would be made once more.
   * @defaultValue none; other children are found without the name
   */
  readonly formerNames?: readonly string[] | undefined;
}

/** A declaration that `owns` takes beside a bare kind. Without type parameters: an inline `own(Pod, { ... })` would take its missing type arguments from there. */
export interface DeclaredOwn {
  readonly kind: KindInfo;
  readonly policy: object;
}

/** An owned kind with what becomes of its objects. Opaque: made by {@link own}. */
export interface Own<out T, out TInput, out TVerb extends Verb, out TDesired extends boolean> extends OwnModel {
  readonly '~own'?: { readonly object: T; readonly input: TInput; readonly verb: TVerb; readonly desired: TDesired } | undefined;
}

const SHAPE = record(
  {
    verbs: listOf(text),
    desired: flag,
    onImmutable: choice('fail', 'recreate', 'keep'),
    onDelete: choice('delete', 'orphan'),
    existence: choice('always', 'once'),
    adopt: choice('never', 'unowned'),
    propagation: choice('Background', 'Foreground', 'Orphan'),
    select: labelSelection,
    optional: flag,
    formerNames: listOf(text),
  },
  'not an option of an owned kind',
);

/**
 * Declares an owned kind whose children are not all treated alike. A bare kind means desired state: applied, repaired, pruned.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached-parts',
 *   for: Memcached,
 *   owns: {
 *     claims: own(PersistentVolumeClaim, { onDelete: 'orphan' }),
 *     jobs: own(Job, { existence: 'once' }),
 *     members: own(Pod, { verbs: ['create', 'delete'] }),
 *   },
 *   reconcile: async ({ done }) => done(),
 * });
 * ```
 *
 * @throws DefinitionError for options that do not exist; `defineController` says what else is wrong, under the name of the handle
 */
export function own<
  T extends KubernetesObject,
  const TVerb extends Verb = never,
  const TDesired extends boolean = [TVerb] extends [never] ? true : false,
  TInput = T,
  const TOptional extends boolean = false,
>(
  kind: KindInfo<T> & { readonly '~input'?: TInput | undefined },
  options: OwnOptions<TVerb, TDesired, TOptional> = {},
): Own<T, TInput, TVerb, TDesired> & MarkedOptional<TOptional> {
  mustHaveShape(`own of ${nameOr(kind, 'kind', 'an unknown kind')}`, options, SHAPE);
  const declared: Own<T, TInput, TVerb, TDesired> = {
    kind,
    policy: policyOf(options),
    ...optionalMark(options),
    ...(options.formerNames === undefined ? {} : { formerNames: Object.freeze([...options.formerNames]) }),
  };
  return Object.freeze(declared) as Own<T, TInput, TVerb, TDesired> & MarkedOptional<TOptional>;
}

function policyOf({ verbs = [], ...options }: OwnOptions<Verb, boolean, boolean>): OwnPolicy {
  return Object.freeze({
    desired: options.desired ?? verbs.length === 0,
    verbs: Object.freeze([...verbs]),
    existence: options.existence ?? 'always',
    onImmutable: options.onImmutable ?? 'fail',
    onDelete: options.onDelete ?? 'delete',
    adopt: options.adopt ?? 'never',
    keepsAdopted: options.onDelete !== 'delete',
    propagation: options.propagation ?? 'Background',
    ...(options.select === undefined ? {} : { labels: Object.freeze({ ...options.select.labels }) }),
  });
}

const AS_DESIRED = policyOf({});

/** An owned kind in whole, from what is declared: a bare kind is desired state. */
export function ownOf(declared: KindInfo | OwnModel): OwnModel {
  return isKind(declared) ? Object.freeze({ kind: declared, policy: AS_DESIRED }) : declared;
}

/** Whether it comes from `own()`; its form is checked there. */
export function isOwn(value: unknown): value is OwnModel {
  return isRecord(value) && isRecord(value['policy']) && Array.isArray(value['policy']['verbs']);
}

/** Options that contradict each other, or are invalid. */
export function ownProblems({ kind, policy, formerNames }: OwnModel, primary: KindInfo, path: string): Problem[] {
  const isNeedless = formerNames !== undefined && policy.existence !== 'once';
  return [
    ...placeProblems(kind, primary, path),
    ...verbProblems(policy.verbs, kind, path),
    ...policyProblems(policy, path),
    ...(isNeedless
      ? [
          {
            path: `${path}.formerNames`,
            message: "is set, but only children with existence: 'once' are remembered by the name of their handle; leave it out",
          },
        ]
      : []),
  ];
}

function placeProblems(child: KindInfo, primary: KindInfo, path: string): Problem[] {
  if (child.group === primary.group && child.kind === primary.kind) {
    return [{ path, message: `${child.kind} is the kind that the controller is for; an object is not its own child` }];
  }
  if (primary.scope === 'Namespaced' && child.scope === 'Cluster') {
    // The garbage collector deletes such a child at once: it looks for the owner among the cluster-scoped objects.
    const message = `${child.kind} is cluster-scoped and ${primary.kind} is namespaced; an object cannot be owned from inside a namespace: declare it under watches with verbs, and delete it in finalize`;
    return [{ path, message }];
  }
  return [];
}

function policyProblems({ desired, verbs, existence, onImmutable, adopt, labels }: OwnPolicy, path: string): Problem[] {
  const problems: Problem[] = [];
  const refuse = (option: string, message: string): void => void problems.push({ path: `${path}.${option}`, message });
  if (!desired && verbs.length === 0)
    refuse('desired', 'is false, and there are no verbs; nothing could make such a child: declare verbs, or leave it out');
  if (!desired && existence === 'once')
    refuse('existence', "is 'once', which is for desired children; create each in the run that needs it, or say desired: true");
  if (existence === 'once' && onImmutable !== 'fail') {
    refuse('onImmutable', `is '${onImmutable}', but existence: 'once' never changes a child; leave one of the two out`);
  }
  if (existence === 'once' && adopt !== 'never')
    refuse('adopt', "is beside existence: 'once', which changes nothing that is there; leave one of the two out");
  if (labels !== undefined && Object.keys(labels).length === 0)
    refuse('select', 'has no labels, which would be every object of the kind; name one, or leave it out');
  if (!desired && adopt !== 'never') refuse('adopt', 'is for desired children; patch the owner reference by hand, or say desired: true');
  return problems;
}
