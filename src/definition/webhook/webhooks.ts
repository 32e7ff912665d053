import type { KindInfo, KubernetesObject } from '../../kubernetes/index.js';
import type { ExternalsIn, Nothing, UsesMap, WatchesMap } from '../controller/index.js';
import type { WebhookOperation } from '../model.js';
import { anything, callback, choice, listOf, mustHaveShape, record, required, text } from '../option-shape.js';
import { ADMISSION_SHAPES, admissionSubject, mustBeAdmission, type Webhook, webhookOf } from './admission-webhook.js';
import type { AdmissionOptions, Admitted, Mutate, MutatingOptions, NoWatches, OwnKind, Validate, ValidatingHandlers } from './handler.js';

const NO_OPTION = 'not an option of a webhook';
const SHAPE = record(ADMISSION_SHAPES, NO_OPTION);
const HANDLERS = record(
  { create: callback('the object'), update: callback('the object'), delete: callback('the object') },
  'not an operation that is checked',
);
const HANDLE = record({ handle: required(HANDLERS, 'write a function that takes the object') }, NO_OPTION);
const MUTATING_SHAPE = record(
  {
    ...ADMISSION_SHAPES,
    operations: listOf(choice('CREATE', 'UPDATE')),
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
  options: AdmissionOptions<TWatches, TUses> = {},
): Webhook<ExternalsIn<TUses>> {
  mustBeAdmission(admissionSubject('defaulting webhook', kind), kind, { options, shape: SHAPE });
  return webhookOf({ type: 'mutating', does: 'defaulting', kind, operations: ['CREATE', 'UPDATE'], options, handle: apply });
}

/**
 * Checks objects: the function returns what is wrong with which field.
 *
 * One function is asked about creation and update; `{ create, update, delete }` tells them apart. The object has its defaults.
 *
 * @example
 * ```ts
 * const checks = validating(Memcached, {
 *   create: ({ spec }) => (spec.size % 2 === 1 ? [] : [{ path: 'spec.size', message: 'must be odd' }]),
 *   update: ({ spec }, { old }) => (spec.size >= old.spec.size ? undefined : 'a Memcached does not shrink'),
 * });
 * ```
 *
 * @throws DefinitionError when the options would be refused by the API server.
 */
export function validating<
  T extends KubernetesObject,
  const TWatches extends WatchesMap = NoWatches,
  const TUses extends UsesMap = Nothing,
>(
  kind: KindInfo<T>,
  check:
    | Validate<Admitted<NoInfer<T>>, NoInfer<TWatches>, NoInfer<TUses>>
    | ValidatingHandlers<Admitted<NoInfer<T>>, NoInfer<TWatches>, NoInfer<TUses>>,
  options: AdmissionOptions<TWatches, TUses> = {},
): Webhook<ExternalsIn<TUses>> {
  const subject = admissionSubject('validating webhook', kind);
  mustBeAdmission(subject, kind, { options, shape: SHAPE });
  const given = typeof check === 'function' ? { create: check, update: check } : check;
  mustHaveShape(subject, { handle: given }, HANDLE);
  const handle = Object.fromEntries(Object.entries(given).filter(([, handler]) => handler !== undefined));
  const operations = Object.keys(handle).map((name) => name.toUpperCase()) as WebhookOperation[];
  return webhookOf({ type: 'validating', does: 'validating', kind, operations, options, handle });
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
export function mutating<T extends KubernetesObject, const TWatches extends WatchesMap = NoWatches, const TUses extends UsesMap = Nothing>(
  kind: KindInfo<T>,
  options: MutatingOptions<TWatches, TUses> & { readonly apply: Mutate<Admitted<NoInfer<T>>, NoInfer<TWatches>, NoInfer<TUses>> },
): Webhook<ExternalsIn<TUses>> {
  mustBeAdmission(admissionSubject('mutating webhook', kind), kind, { options, shape: MUTATING_SHAPE });
  const { apply, operations = ['CREATE', 'UPDATE'], ...rest } = options;
  return webhookOf({ type: 'mutating', does: 'mutating', kind, operations, options: rest, handle: apply });
}
