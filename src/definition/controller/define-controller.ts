import { DNS_1123_LABEL, type KindInfo, type KubernetesObject, LABEL_KEY, obeys } from '../../kubernetes/index.js';
import { DefinitionError, type Problem } from '../errors.js';
import type { ControllerModel, RawPermission, Verb, WatchModel } from '../model.js';
import {
  anything,
  callback,
  flag,
  isKind,
  listOf,
  mapOf,
  mustHaveShape,
  nameOr,
  record,
  required,
  type Shape,
  shown,
  text,
} from '../option-shape.js';
import type { Context, FinalizeContext, HandleFor, OwnsMap, ReadsMap, ReservedName, WatchesMap } from './context.js';
import type { ChildOf, Done, Primary } from './outcome.js';
import { isReferrers, referrersProblems } from './referrers.js';
import { isWatch, watchOf } from './watch.js';

/** A controller as `defineOperator` takes it. */
export interface Controller extends ControllerModel {
  readonly '~controller'?: never;
}

/** Says in the compiler's message what is wrong with a name. */
type HandleNames<TMap, TOther> = {
  readonly [N in keyof TMap as N extends ReservedName | keyof TOther ? N : never]: N extends ReservedName
    ? `'${N & string}' is a reserved name`
    : `'${N & string}' is declared twice`;
};

/** The status that is written: our own kind's, another kind's when `writesStatus` says so, or none (`unknown`). */
type WrittenStatus<T, TStatus, TWrites> = unknown extends TStatus
  ? TWrites extends true
    ? T extends { readonly status?: infer S }
      ? NonNullable<S>
      : unknown
    : unknown
  : TStatus;

export interface ControllerOptions<T, TStatus, TOwns, TWatches, TReads, TWrites> {
  /** Unique in its operator: it names the field manager, the finalizer and the metrics. */
  readonly name: string;
  /** The kind whose objects are reconciled: a custom resource (its storage version, or `X.versions.v1beta1`) or any other kind. */
  readonly for: Primary<T, TStatus>;
  /** Children: applied, watched and pruned. They carry the object as their controller owner. */
  readonly owns?: TOwns & HandleNames<TOwns, TWatches & TReads>;
  /** Other kinds that trigger a reconcile: `watch(Kind, { ... })`, or the bare kind where reading is all. */
  readonly watches?: TWatches & HandleNames<TWatches, TOwns & TReads>;
  /** Kinds that are read from the API server on demand, without a cache. */
  readonly reads?: TReads & HandleNames<TReads, TOwns & TWatches>;
  /** Raw rights, for what no kind stands for: sub-resources such as `pods/exec`, non-resource URLs. */
  readonly permissions?: readonly RawPermission[];
  /**
   * Whether the status of a kind that is not a custom resource of yours is written: you implement somebody else's API.
   * @defaultValue `true` for a custom resource of yours with a status schema; otherwise `false`, another controller owns that status
   */
  readonly writesStatus?: TWrites;
  /**
   * Name of the finalizer under which `finalize` runs: `<domain>/<name>`, the domain your own.
   * @defaultValue `<group>/<name of the controller>` for a custom resource of yours; for other kinds it must be said
   */
  readonly finalizer?: string;
  /** From what is observed to what is wanted. It ends with `return done({ ... })`. */
  reconcile(
    context: {
      readonly [N in keyof NoInfer<TOwns> | keyof NoInfer<TWatches> | keyof NoInfer<TReads>]: HandleFor<
        N,
        NoInfer<TOwns>,
        NoInfer<TWatches>,
        NoInfer<TReads>
      >;
    } & Context<T, NoInfer<WrittenStatus<T, TStatus, TWrites>>, ChildOf<NoInfer<TOwns>[keyof NoInfer<TOwns>]>>,
  ): Done | Promise<Done>;
  /**
   * Cleans up what the garbage collector cannot see. It runs when the object is being deleted, under a finalizer that keeps it; it is retried until it returns.
   * `return done({ conditions })` tells of it in the status; with `requeueAfter` the object waits for another run.
   * @defaultValue none, and no finalizer
   */
  finalize?(
    context: FinalizeContext<T, NoInfer<TOwns>, NoInfer<TWatches>, NoInfer<TReads>, NoInfer<WrittenStatus<T, TStatus, TWrites>>>,
  ): void | Done | Promise<void> | Promise<Done | undefined>;
}

/**
 * Defines a controller: what it may touch, and what it does.
 *
 * What is not declared is not in the context, and not in the roles.
 *
 * @throws DefinitionError for what the types cannot hold: names, raw permissions, and all that untyped code gets wrong.
 */
export function defineController<
  T extends KubernetesObject,
  TStatus = unknown,
  const TOwns extends OwnsMap = Record<never, never>,
  const TWatches extends WatchesMap = Record<never, never>,
  const TReads extends ReadsMap = Record<never, never>,
  const TWrites extends boolean = false,
>(options: ControllerOptions<T, TStatus, TOwns, TWatches, TReads, TWrites>): Controller {
  return controllerOf(options as unknown as ErasedOptions);
}

interface ErasedOptions {
  readonly name: string;
  readonly for: KindInfo<KubernetesObject>;
  readonly owns?: OwnsMap;
  readonly watches?: WatchesMap;
  readonly reads?: ReadsMap;
  readonly permissions?: readonly RawPermission[];
  readonly writesStatus?: boolean;
  readonly finalizer?: string;
  readonly reconcile: unknown;
  readonly finalize?: unknown;
}

const kind: Shape = (value, path) =>
  isKind(value) ? [] : [{ path, message: 'is no kind; give a custom resource, or a kind of keelson/kinds' }];

const SHAPE = record(
  {
    name: required(text, 'name the controller'),
    for: kind,
    owns: mapOf(anything),
    watches: mapOf(anything),
    reads: mapOf(anything),
    permissions: listOf(
      record(
        {
          apiGroups: listOf(text),
          resources: listOf(text),
          resourceNames: listOf(text),
          nonResourceURLs: listOf(text),
          verbs: listOf(text),
          clusterScoped: flag,
        },
        'no part of a rule',
      ),
    ),
    writesStatus: flag,
    finalizer: text,
    reconcile: required(callback('the context'), 'write a function that takes the context'),
    finalize: callback('the context'),
  },
  'no option of a controller',
);
const RESERVED_NAMES: readonly string[] = ['object', 'log', 'signal', 'events', 'now', 'trigger', 'done'] satisfies ReservedName[];
const VERBS: readonly string[] = ['create', 'update', 'patch', 'apply', 'delete', 'evict'] satisfies Verb[];

function controllerOf(options: ErasedOptions): Controller {
  const subject = `controller ${nameOr(options, 'name', 'without a name')}`;
  mustHaveShape(subject, options, SHAPE);
  const problems = controllerProblems(options);
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  const primary = options.for;
  const { finalize } = options;
  return Object.freeze({
    name: options.name,
    for: primary,
    owns: Object.freeze({ ...options.owns }),
    watches: Object.freeze(Object.fromEntries(Object.entries(options.watches ?? {}).map(([name, declared]) => [name, watchOf(declared)]))),
    reads: Object.freeze({ ...options.reads }),
    permissions: Object.freeze([...(options.permissions ?? [])]),
    writesStatus: options.writesStatus ?? (isOwnResource(primary) && primary.subresources.includes('status')),
    ...(finalize === undefined ? {} : { finalizer: finalizerOf(options), finalize }),
    reconcile: options.reconcile,
  });
}

/** Qualified by a domain, as the API server asks: a bare name could be anybody's. */
function finalizerOf({ name, for: primary, finalizer }: ErasedOptions): string {
  return finalizer ?? `${primary.group}/${name}`;
}

/** Whether a kind comes from `defineCustomResource`: its status is ours to write. */
function isOwnResource(kind: KindInfo): boolean {
  return 'customResource' in kind;
}

function controllerProblems(options: ErasedOptions): Problem[] {
  const { name } = options;
  return [
    ...(obeys(DNS_1123_LABEL, name) ? [] : [{ path: 'name', message: `${shown(name)} must be ${DNS_1123_LABEL.says}` }]),
    ...handleProblems(options),
    ...statusProblems(options),
    ...finalizerProblems(options),
    ...permissionProblems(options.permissions ?? []),
  ];
}

function handleProblems(options: ErasedOptions): Problem[] {
  const declared = (['owns', 'watches', 'reads'] as const).flatMap((map) =>
    Object.entries(options[map] ?? {}).map(([name, value]) => ({ map, name, path: `${map}.${name}`, value })),
  );
  return declared.flatMap(({ map, name, path, value }, index) => {
    const problems: Problem[] = [];
    const earlier = declared.slice(0, index).find((other) => other.name === name);
    // As a key of the context, `__proto__` would replace its prototype.
    if (RESERVED_NAMES.includes(name) || name === '__proto__')
      problems.push({ path, message: `'${name}' is a reserved name: the context itself uses it; choose another` });
    if (earlier !== undefined)
      problems.push({ path, message: `'${name}' is declared twice, here and at ${earlier.path}; choose another name for one` });
    const watched = map === 'watches' && isWatch(value) ? value : undefined;
    const kind = watched === undefined ? (value as KindInfo) : watched.kind;
    if (!isKind(kind))
      return [
        ...problems,
        { path, message: `is no kind; give a kind of keelson/kinds${map === 'watches' ? ', or watch(Kind, { ... })' : ''}` },
      ];
    if (map === 'owns') problems.push(...ownsProblems(kind, options.for, path));
    return watched === undefined ? problems : [...problems, ...watchProblems(watched, options.for, path)];
  });
}

function ownsProblems(child: KindInfo, primary: KindInfo, path: string): Problem[] {
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

function watchProblems({ kind, verbs, enqueue, select }: WatchModel, primary: KindInfo, path: string): Problem[] {
  const problems = verbs.flatMap((verb, index): Problem[] => {
    if (!VERBS.includes(verb)) return [{ path: `${path}.verbs[${index}]`, message: `'${verb}' is no verb; known are ${VERBS.join(', ')}` }];
    if (verbs.indexOf(verb) !== index) return [{ path: `${path}.verbs[${index}]`, message: `'${verb}' is listed twice; leave one out` }];
    if (verb === 'evict' && !kind.subresources.includes('eviction')) {
      return [{ path: `${path}.verbs[${index}]`, message: `${kind.kind} cannot be evicted; only Pods can: use 'delete'` }];
    }
    return [];
  });
  if (isReferrers(enqueue)) problems.push(...referrersProblems(enqueue, primary, `${path}.enqueue`));
  else if (enqueue !== undefined && typeof enqueue !== 'function') {
    problems.push({
      path: `${path}.enqueue`,
      message: 'is no function; write toOwner(Kind), toReferrers(Kind, ...), or a function from the object to keys { name, namespace }',
    });
  }
  if (kind.scope === 'Cluster' && select?.namespaces !== undefined) {
    problems.push({ path: `${path}.select.namespaces`, message: `is set, but ${kind.kind} is cluster-scoped; leave it out` });
  }
  return problems;
}

function statusProblems({ writesStatus, for: primary }: ErasedOptions): Problem[] {
  if (writesStatus !== true || primary.subresources.includes('status')) return [];
  const hint = isOwnResource(primary) ? 'declare a status schema in this version' : 'leave writesStatus out';
  return [{ path: 'writesStatus', message: `${primary.kind} has no status subresource; ${hint}` }];
}

function finalizerProblems({ finalizer, finalize, for: primary }: ErasedOptions): Problem[] {
  if (finalize === undefined)
    return finalizer === undefined ? [] : [{ path: 'finalizer', message: 'is named, but there is no finalize; leave it out' }];
  if (finalizer === undefined && isOwnResource(primary)) return [];
  if (finalizer !== undefined && obeys(LABEL_KEY, finalizer) && /^[^/]*\.[^/]*\//.test(finalizer)) return [];
  const found =
    finalizer === undefined ? `is missing, and ${primary.kind} is not a kind of yours` : `'${finalizer}' is not qualified by a domain`;
  return [{ path: 'finalizer', message: `${found}; write <domain that you own>/<name>, for example example.com/cleanup` }];
}

function permissionProblems(permissions: readonly RawPermission[]): Problem[] {
  return permissions.flatMap((rule, index) => {
    const path = `permissions[${index}]`;
    const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs } = rule;
    const problems: Problem[] = [];
    if (verbs === undefined || verbs.length === 0)
      problems.push({ path: `${path}.verbs`, message: 'is empty; the rule grants nothing: name the verbs' });
    if (nonResourceURLs.length > 0 === resources.length > 0) {
      problems.push({ path, message: 'must have either resources with their apiGroups, or nonResourceURLs' });
    }
    if (resources.length > 0 && apiGroups.length === 0)
      problems.push({ path: `${path}.apiGroups`, message: "is empty; name the group, '' for the core group" });
    if ([...apiGroups, ...resources, ...(verbs ?? [])].some((text) => text === '*' || text.endsWith('/*') || text.startsWith('*/'))) {
      problems.push({ path, message: "grants '*'; name the groups, resources and verbs that the code uses" });
    }
    if (verbs?.includes('deletecollection') === true) {
      problems.push({
        path: `${path}.verbs`,
        message: 'grants deletecollection, which can empty a namespace in one call; delete objects one by one',
      });
    }
    const wrong = verbs?.find((verb) => verb !== verb.toLowerCase());
    if (wrong !== undefined)
      problems.push({ path: `${path}.verbs`, message: `${shown(wrong)} is no verb; write it in lower case, for example get` });
    if (resourceNames.length > 0 && verbs?.includes('create') === true) {
      problems.push({
        path: `${path}.resourceNames`,
        message: 'cannot restrict create: the API server checks it before it knows the name; give create a rule of its own',
      });
    }
    return problems;
  });
}
