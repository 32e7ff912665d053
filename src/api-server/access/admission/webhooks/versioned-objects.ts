import { apiVersionOf } from '@keelson/kubernetes/apimachinery';
import { type AdmissionRequest, type JsonObject, servedGroupVersion } from '../../../contract/index.js';
import { internalError, StatusError } from '../../../status/index.js';
import type { Invocation } from './matching.js';

export type Objects = Pick<AdmissionRequest, 'object' | 'oldObject'>;

/** The objects of a request at the version that a webhook asks for; a Scale and the like have one version only. */
export async function objectsAt(
  objects: Objects,
  { subresource, kind }: AdmissionRequest,
  { resource, version }: Omit<Invocation, 'webhook'>,
): Promise<Objects> {
  if (subresource !== '' && kind !== undefined) return objects;
  const [object, oldObject] = await Promise.all([objects.object, objects.oldObject].map((one) => converted(one, { resource, version })));
  return { ...(object === undefined ? {} : { object }), ...(oldObject === undefined ? {} : { oldObject }) };
}

/**
 * A conversion that fails is an internal error, which each layer that hears of it makes another one of: clients see the words so often.
 *
 * Source: apiserver `pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go`.
 *
 * @param layers of Kubernetes: two for mutating webhooks, one for validating ones
 * @throws StatusError 500
 */
export async function orInternalError<T>(conversion: Promise<T>, layers: 1 | 2): Promise<T> {
  try {
    return await conversion;
  } catch (error) {
    if (!StatusError.isStatusError(error)) throw error;
    const inner = internalError(error.message);
    throw layers === 1 ? inner : internalError(inner.message);
  }
}

async function converted(
  object: JsonObject | undefined,
  { resource, version }: Omit<Invocation, 'webhook'>,
): Promise<JsonObject | undefined> {
  if (object === undefined || object['apiVersion'] === apiVersionOf(servedGroupVersion({ resource, version }))) return object;
  const [result] = await resource.convert([object], version.version);
  return result;
}
