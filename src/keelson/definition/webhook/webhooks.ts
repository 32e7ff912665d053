import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { ExternalsIn, Nothing, UsesMap, WatchesMap } from '../controller/index.js';
import type { WebhookOperation } from '../model.js';
import { anything, callback, choice, listOf, mustHaveShape, record, required, text } from '../option-shape.js';
import { ADMISSION_SHAPES, admissionSubject, mustBeAdmission, type Webhook, webhookOf } from './admission-webhook.js';
import type {
  AdmissionKinds,
  AdmissionOptions,
  Admitted,
  AdmittedOf,
  DefaultingOptions,
  Mutate,
  MutatingOptions,
  NoWatches,
  OwnKind,
  Validate,
  ValidatingHandlers,
} from './handler.js';
import { operationsOn, type SubresourceObject } from './subresource.js';

const NO_OPTION = 'not an option of a webhook';
const DEFAULTING_SHAPE = record({ ...ADMISSION_SHAPES, reinvocationPolicy: choice('Never', 'IfNeeded') }, NO_OPTION);
const VALIDATING_SHAPE = record({ ...ADMISSION_SHAPES, subresource: text }, NO_OPTION);
const HANDLERS = record(
  {
    create: callback('the object'),
    update: callback('the object'),
    delete: callback('the object'),
    connect: callback('the options of the call'),
  },
  'not an operation that is checked',
);
const HANDLE = record({ handle: required(HANDLERS, 'write a function that takes the object') }, NO_OPTION);
const MUTATING_SHAPE = record(
  {
    ...ADMISSION_SHAPES,
    operations: listOf(choice('CREATE', 'UPDATE', 'CONNECT')),
    subresource: text,
    reinvocationPolicy: choice('Never', 'IfNeeded'),
    apply: anything,
  },
  NO_OPTION,
);

/**
 * Completes objects of a custom resource of yours beyond what the schema's defaults can say.
 *
 * The function gets the object as its author wrote it, and changes it in place or returns the new one.
 *
 * @example
 * ```ts
 * const defaults = defaulting(Memcached, (memcached, { operation }) => {
 *   if (operation === 'CREATE' && memcached.metadata.namespace === 'shop') memcached.spec.size ??= 3;
 * });
 * ```
 *
 * @throws DefinitionError when the options would be refused by the API server.
 */
export function defaulting<
  T extends KubernetesObject,
  TInput extends KubernetesObject,
  const TWatches extends WatchesMap = NoWatches,
  const TUses extends UsesMap = Nothing,
>(
  kind: OwnKind<T, TInput>,
  apply: Mutate<Admitted<NoInfer<TInput>>, NoInfer<TWatches>, NoInfer<TUses>>,
  options: DefaultingOptions<TWatches, TUses> = {},
): Webhook<ExternalsIn<TUses>> {
  mustBeAdmission(admissionSubject('defaulting webhook', kind), kind, { options, shape: DEFAULTING_SHAPE });
  return webhookOf({ type: 'mutating', does: 'defaulting', kinds: [kind], operations: ['CREATE', 'UPDATE'], options, handle: apply });
}

/** The operations that one function is asked about: creation and update, or those that a subresource has. */
function operationsToCheck(subresource: string | undefined): readonly WebhookOperation[] {
  return operationsOn(subresource).filter((operation) => operation !== 'DELETE');
}

/**
 * Checks objects: the function returns what is wrong with which field.
 *
 * One function handles creation and update; with `{ create, update, delete }` each has its own. The object has its defaults.
 *
 * @example
 * ```ts
 * const checks = validating(Memcached, {
 *   create: ({ spec }) => (spec.size % 2 === 1 ? [] : [{ path: 'spec.size', message: 'must be odd' }]),
 *   update: ({ spec }, { old }) => (spec.size >= old.spec.size ? undefined : 'a Memcached does not shrink'),
 * });
 *
 * validating([Deployment, StatefulSet], ({ spec }) => (spec?.replicas === 0 ? 'runs nothing' : undefined), { name: 'replicas' });
 * validating(Pod, (options, { namespace }) => (options.tty ? `no shells in ${namespace}` : undefined), { subresource: 'exec' });
 * ```
 *
 * @throws DefinitionError when the options would be refused by the API server.
 */
export function validating<
  const TKinds extends AdmissionKinds,
  const TWatches extends WatchesMap = NoWatches,
  const TUses extends UsesMap = Nothing,
  const TSubresource extends string = never,
>(
  kinds: TKinds,
  check:
    | Validate<SubresourceObject<AdmittedOf<TKinds>, TSubresource>, NoInfer<TWatches>, NoInfer<TUses>>
    | ValidatingHandlers<SubresourceObject<AdmittedOf<TKinds>, TSubresource>, NoInfer<TWatches>, NoInfer<TUses>>,
  options: AdmissionOptions<TWatches, TUses, TSubresource> = {},
): Webhook<ExternalsIn<TUses>> {
  const subject = admissionSubject('validating webhook', kinds);
  const covered = mustBeAdmission(subject, kinds, { options, shape: VALIDATING_SHAPE });
  const given = typeof check === 'function' ? handlersOf(check, options.subresource) : check;
  mustHaveShape(subject, { handle: given }, HANDLE);
  const handle = Object.fromEntries(Object.entries(given).filter(([, handler]) => handler !== undefined));
  const operations = Object.keys(handle).map((name) => name.toUpperCase()) as WebhookOperation[];
  return webhookOf({ type: 'validating', does: 'validating', kinds: covered, operations, options, handle });
}

function handlersOf(check: unknown, subresource: string | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(operationsToCheck(subresource).map((operation) => [operation.toLowerCase(), check]));
}

/**
 * Changes objects of any kind when they are created or updated, for example to add a container to pods. Handlers read other objects of kinds under `watches`.
 *
 * @example
 * ```ts
 * const inject = mutating(Pod, {
 *   select: { labels: { cache: 'memcached' } },
 *   watches: { settings: ConfigMap },
 *   apply: (pod, { settings }) => {
 *     const image = settings.get('cache')?.data?.['image'] ?? 'memcached:1.6';
 *     pod.spec?.containers.push({ name: 'cache', image });
 *   },
 * });
 * ```
 *
 * @throws DefinitionError when the options would be refused by the API server.
 */
export function mutating<
  const TKinds extends AdmissionKinds,
  const TWatches extends WatchesMap = NoWatches,
  const TUses extends UsesMap = Nothing,
  const TSubresource extends string = never,
>(
  kinds: TKinds,
  options: MutatingOptions<TWatches, TUses, TSubresource> & {
    readonly apply: Mutate<SubresourceObject<AdmittedOf<TKinds>, TSubresource>, NoInfer<TWatches>, NoInfer<TUses>>;
  },
): Webhook<ExternalsIn<TUses>> {
  const covered = mustBeAdmission(admissionSubject('mutating webhook', kinds), kinds, { options, shape: MUTATING_SHAPE });
  const { apply, operations = operationsToCheck(options.subresource), ...rest } = options;
  return webhookOf({ type: 'mutating', does: 'mutating', kinds: covered, operations, options: rest, handle: apply });
}
