import type { KindInfo, KubernetesObject } from '../../kubernetes/index.js';
import type { WebhookOperation } from '../model.js';
import { ADMISSION_OPTIONS, type Webhook, webhookOf } from './admission-webhook.js';
import type { AdmissionOptions, Admitted, Mutate, MutatingOptions, OwnKind, Validate, ValidatingHandlers } from './handler.js';

/**
 * Completes objects of a custom resource of yours beyond what the schema's defaults can say.
 *
 * The function gets the object as its author wrote it, and changes it in place or returns the new one.
 *
 * @throws DefinitionError when the options would be refused by the API server.
 */
export function defaulting<T extends KubernetesObject, TInput extends KubernetesObject>(
  kind: OwnKind<T, TInput>,
  apply: Mutate<Admitted<NoInfer<TInput>>>,
  options: AdmissionOptions = {},
): Webhook {
  const operations: readonly WebhookOperation[] = ['CREATE', 'UPDATE'];
  return webhookOf({ type: 'mutating', does: 'defaulting', kind, operations, options, knownOptions: ADMISSION_OPTIONS, handle: apply });
}

/**
 * Checks objects: the function returns what is wrong with which field.
 *
 * One function is asked about creation and update; `{ create, update, delete }` tells them apart. The object has its defaults.
 *
 * @throws DefinitionError when the options would be refused by the API server.
 */
export function validating<T extends KubernetesObject>(
  kind: KindInfo<T>,
  check: Validate<Admitted<NoInfer<T>>> | ValidatingHandlers<Admitted<NoInfer<T>>>,
  options: AdmissionOptions = {},
): Webhook {
  const handle = typeof check === 'function' ? { create: check, update: check } : check;
  const operations = Object.keys(handle).map((name) => name.toUpperCase()) as WebhookOperation[];
  return webhookOf({ type: 'validating', does: 'validating', kind, operations, options, knownOptions: ADMISSION_OPTIONS, handle });
}

/**
 * Changes objects of any kind when they are created or updated, for example to add a container to pods.
 *
 * @throws DefinitionError when the options would be refused by the API server.
 */
export function mutating<T extends KubernetesObject>(
  kind: KindInfo<T>,
  options: MutatingOptions & { readonly apply: Mutate<Admitted<NoInfer<T>>> },
): Webhook {
  const { apply, operations = ['CREATE', 'UPDATE'], ...rest } = options;
  const knownOptions = [...ADMISSION_OPTIONS, 'operations', 'subresource', 'reinvocationPolicy', 'apply'];
  return webhookOf({ type: 'mutating', does: 'mutating', kind, operations, options: rest, knownOptions, handle: apply });
}
