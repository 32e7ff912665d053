import { DNS_1123_LABEL, type KindInfo, type KubernetesObject, millisecondsOf, obeys } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, type Problem } from '../errors.js';
import type { ControllerModel, ObservedModel, OwnModel, RawPermission, ReadModel, ReleasedModel, UseModel, WatchModel } from '../model.js';
import {
  anything,
  callback,
  choice,
  count,
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
import { type Annotations, annotationProblems, annotationsForm, annotationsOf } from './annotations.js';
import type { OwnsMap, ReadsMap, WatchesMap } from './context.js';
import type { Controller, ControllerOptions } from './controller-options.js';
import { formerOf, formerProblems, isFinalizerName } from './former-names.js';
import { handleProblems } from './handle-problems.js';
import { observedBy } from './observe-builder.js';
import type { ObservesMap, SeenIn } from './observes.js';
import { isOwn, ownOf } from './own.js';
import { bindingProblems, permissionProblems, type WritingHandle } from './permission-problems.js';
import { readOf } from './read.js';
import { releasedProblems } from './release.js';
import { primaryOf } from './select.js';
import { type StatusShare, shareOf, shareProblems, writtenStatus } from './status-share.js';
import type { ExternalsIn, Nothing, UsesMap } from './uses.js';
import { isWatch, watchOf } from './watch.js';

/**
 * Defines a controller: what it may touch, and what it does.
 *
 * A kind that is not declared is not in the context, and not in the roles.
 *
 * @example
 * ```ts
 * export const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   owns: { configs: ConfigMap },
 *   async reconcile({ object, done }) {
 *     const { name } = object.metadata;
 *     return done({ owned: { configs: [ConfigMap({ metadata: { name }, data: { size: String(object.spec.size) } })] } });
 *   },
 * });
 * ```
 *
 * @throws DefinitionError for what the types cannot hold: names, raw permissions, and all that untyped code gets wrong.
 */
export function defineController<
  T extends KubernetesObject,
  TStatus = unknown,
  const TOwns extends OwnsMap = Nothing,
  const TUses extends UsesMap = Nothing,
  const TWatches extends WatchesMap = Nothing,
  const TReads extends ReadsMap = Nothing,
  TObserves extends ObservesMap = Nothing,
  TBackground extends Readonly<Record<string, unknown>> = Nothing,
  const TWrites extends boolean | StatusShare = false,
>(
  options: ControllerOptions<T, TStatus, TOwns, TUses, TWatches, TReads, TObserves, TBackground, TWrites>,
): Controller<ExternalsIn<TUses>, SeenIn<TObserves>> {
  return controllerOf(options as unknown as ErasedOptions);
}

interface ErasedOptions {
  readonly name: string;
  readonly for: KindInfo<KubernetesObject>;
  readonly owns?: Readonly<Record<string, KindInfo | OwnModel>>;
  readonly uses?: Readonly<Record<string, UseModel>>;
  readonly watches?: Readonly<Record<string, KindInfo | WatchModel>>;
  readonly reads?: Readonly<Record<string, KindInfo | ReadModel>>;
  readonly observes?: unknown;
  readonly background?: Readonly<Record<string, unknown>>;
  readonly permissions?: readonly RawPermission[];
  readonly writesStatus?: boolean | StatusShare;
  readonly finalizer?: string;
  readonly formerFieldManagers?: readonly string[];
  readonly formerNames?: readonly string[];
  readonly formerFinalizers?: readonly string[];
  readonly released?: Readonly<Record<string, ReleasedModel>>;
  readonly annotations?: Annotations;
  readonly timeLimit?: unknown;
  readonly concurrency?: number;
  readonly backoff?: { readonly first?: unknown; readonly most?: unknown };
  readonly retries?: number;
  readonly rate?: { readonly perMinute: number };
  readonly abortOn?: readonly ('deletion' | 'spec')[];
  readonly reconcile: unknown;
  readonly finalize?: unknown;
}

const kind: Shape = (value, path) =>
  isKind(value) ? [] : [{ path, message: 'is not a kind; give a custom resource, or a kind of keelson/kinds' }];

const span: Shape = (value, path) => {
  const ms = value === undefined ? 1 : millisecondsOf(value);
  return ms !== undefined && ms > 0 ? [] : [{ path, message: `is ${shown(value)}; write a span of time such as '30s', or milliseconds` }];
};

const SHAPE = record(
  {
    name: required(text, 'name the controller'),
    for: kind,
    owns: mapOf(anything),
    watches: mapOf(anything),
    reads: mapOf(anything),
    uses: mapOf(anything),
    observes: anything,
    background: mapOf(callback('the context')),
    timeLimit: span,
    concurrency: count,
    backoff: record({ first: span, most: span }, 'not part of a backoff'),
    retries: count,
    rate: record({ perMinute: required(count, 'write the number of runs') }, 'not part of a rate'),
    abortOn: listOf(choice('deletion', 'spec')),
    permissions: listOf(
      record(
        {
          apiGroups: listOf(text),
          resources: listOf(text),
          resourceNames: listOf(text),
          nonResourceURLs: listOf(text),
          verbs: listOf(text),
          clusterScoped: flag,
          namespaces: listOf(text),
        },
        'not part of a rule',
      ),
    ),
    writesStatus: writtenStatus,
    finalizer: text,
    formerFieldManagers: listOf(text),
    formerNames: listOf(text),
    formerFinalizers: listOf(text),
    released: mapOf(anything),
    annotations: annotationsForm,
    reconcile: required(callback('the context'), 'write a function that takes the context'),
    finalize: callback('the context'),
  },
  'not an option of a controller',
);
function controllerOf(given: ErasedOptions): Controller {
  const subject = `controller ${nameOr(given, 'name', 'without a name')}`;
  mustHaveShape(subject, given, SHAPE);
  const { kind: primary, select } = primaryOf(given.for);
  const options = { ...given, for: primary };
  const observes = observedBy(options.observes);
  const problems = [...controllerProblems({ ...options, observes: observes.made }), ...observes.problems];
  if (problems.length > 0) throw new DefinitionError(subject, problems);
  const { finalize, released, timeLimit, concurrency, writesStatus } = options;
  const finalizer = needsFinalizer(options) ? finalizerOf(options) : undefined;
  return Object.freeze({
    name: options.name,
    for: primary,
    ...(select === undefined ? {} : { select }),
    owns: mapped(options.owns, ownOf),
    watches: mapped(options.watches, watchOf),
    reads: mapped(options.reads, readOf),
    uses: Object.freeze({ ...options.uses }),
    observes: Object.freeze(observes.made),
    background: Object.freeze({ ...options.background }),
    permissions: Object.freeze([...(options.permissions ?? [])]),
    writesStatus: writesStatus === undefined ? isOwnResource(primary) && primary.subresources.includes('status') : writesStatus !== false,
    ...(typeof writesStatus === 'object' ? { statusShare: shareOf(writesStatus) } : {}),
    ...(timeLimit === undefined ? {} : { timeLimitMs: millisecondsOf(timeLimit) }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...retryingOf(options),
    abortOn: Object.freeze([...(options.abortOn ?? [])]),
    ...(finalizer === undefined ? {} : { finalizer }),
    ...(finalize === undefined ? {} : { finalize }),
    ...formerOf(options, finalizer),
    ...(released === undefined ? {} : { released: Object.freeze({ ...released }) }),
    ...steeringOf(options),
    reconcile: options.reconcile,
  });
}

function retryingOf({ backoff, retries, rate }: ErasedOptions): Pick<ControllerModel, 'backoff' | 'retries' | 'rate'> {
  const waits = { firstMs: millisecondsOf(backoff?.first), mostMs: millisecondsOf(backoff?.most) };
  return {
    ...(backoff === undefined ? {} : { backoff: Object.freeze(waits) }),
    ...(retries === undefined ? {} : { retries }),
    ...(rate === undefined ? {} : { rate: Object.freeze({ ...rate }) }),
  };
}

function steeringOf(options: ErasedOptions): Pick<ControllerModel, 'annotations'> {
  const annotations = annotationsOf(options);
  return annotations === undefined ? {} : { annotations };
}

function mapped<T, R>(declared: Readonly<Record<string, T>> | undefined, model: (value: T) => R): Readonly<Record<string, R>> {
  return Object.freeze(Object.fromEntries(Object.entries(declared ?? {}).map(([name, value]) => [name, model(value)])));
}

/** Children can be kept only before the object is gone. */
function needsFinalizer(options: ErasedOptions): boolean {
  return options.finalize !== undefined || annotationsOf(options)?.deletion !== undefined;
}

/** Qualified by a domain, as the API server asks: a bare name could belong to any controller. */
function finalizerOf({ name, for: primary, finalizer }: ErasedOptions): string {
  return finalizer ?? `${primary.group}/${name}`;
}

/** Whether a kind comes from `defineCustomResource`: its status is ours to write. */
function isOwnResource(kind: KindInfo): boolean {
  return 'customResource' in kind;
}

type Checked = Omit<ErasedOptions, 'observes'> & { readonly observes: Readonly<Record<string, ObservedModel>> };

function controllerProblems(options: Checked): Problem[] {
  const { name, concurrency = 1, retries = 0, rate: { perMinute } = { perMinute: 1 }, backoff: { first, most } = {} } = options;
  const [firstMs, mostMs] = [millisecondsOf(first) ?? 0, millisecondsOf(most) ?? Number.POSITIVE_INFINITY];
  return [
    ...(obeys(DNS_1123_LABEL, name) ? [] : [{ path: 'name', message: `${shown(name)} must be ${DNS_1123_LABEL.says}` }]),
    ...(Number.isInteger(concurrency) && concurrency > 0
      ? []
      : [{ path: 'concurrency', message: `is ${concurrency}; write a whole number of at least 1` }]),
    ...(Number.isInteger(retries) && retries >= 0 ? [] : [{ path: 'retries', message: `is ${retries}; write a whole number from 0` }]),
    ...(Number.isInteger(perMinute) && perMinute > 0
      ? []
      : [{ path: 'rate.perMinute', message: `is ${perMinute}; write a whole number of at least 1` }]),
    ...(firstMs <= mostMs ? [] : [{ path: 'backoff.most', message: `${shown(most)} is shorter than first; write a longer time` }]),
    ...handleProblems(options),
    ...statusProblems(options),
    ...finalizerProblems(options),
    ...managerProblems(options),
    ...formerProblems(options),
    ...releasedProblems(options),
    ...annotationProblems(options),
    ...permissionProblems(options.permissions ?? []),
    ...bindingProblems(writingHandles(options), options.permissions ?? []),
  ];
}

/** A value that is neither a kind nor a declaration is reported elsewhere. */
function writingHandles({ owns = {}, watches = {} }: Checked): WritingHandle[] {
  const owned = Object.entries(owns).filter(([, declared]) => isKind(declared) || (isOwn(declared) && isKind(declared.kind)));
  const watched = Object.entries(watches).filter(([, declared]) => isKind(declared) || (isWatch(declared) && isKind(declared.kind)));
  return [
    ...owned.map(([name, declared]) => {
      const { kind, policy } = ownOf(declared);
      return { path: `owns.${name}`, kind, verbs: policy.desired ? [...policy.verbs, 'apply' as const] : policy.verbs };
    }),
    ...watched.map(([name, declared]) => ({ path: `watches.${name}`, ...watchOf(declared) })),
  ];
}

function statusProblems({ writesStatus, for: primary }: Checked): Problem[] {
  if (writesStatus === undefined || writesStatus === false) return [];
  if (primary.subresources.includes('status')) return writesStatus === true ? [] : shareProblems(writesStatus, primary);
  const hint = isOwnResource(primary) ? 'declare a status schema in this version' : 'leave writesStatus out';
  return [{ path: 'writesStatus', message: `${primary.kind} has no status subresource; ${hint}` }];
}

/** apimachinery, `ValidateFieldManager`: at most 128 bytes of printable characters. */
function managerProblems({ formerFieldManagers = [] }: Checked): Problem[] {
  return formerFieldManagers.flatMap((name, index) =>
    name !== '' && Buffer.byteLength(name) <= 128 && !/\p{C}/u.test(name)
      ? []
      : [
          {
            path: `formerFieldManagers[${index}]`,
            message: `${shown(name)} is not the name of a field manager; see metadata.managedFields of a child`,
          },
        ],
  );
}

function finalizerProblems(options: Checked): Problem[] {
  const { finalizer, for: primary } = options;
  if (!needsFinalizer({ ...options, observes: undefined }))
    return finalizer === undefined ? [] : [{ path: 'finalizer', message: 'is named, but there is no finalize; leave it out' }];
  if (finalizer === undefined && isOwnResource(primary)) return [];
  if (finalizer !== undefined && isFinalizerName(finalizer)) return [];
  const found =
    finalizer === undefined ? `is missing, and ${primary.kind} is not a kind of yours` : `'${finalizer}' is not qualified by a domain`;
  return [{ path: 'finalizer', message: `${found}; write <domain that you own>/<name>, for example example.com/cleanup` }];
}
