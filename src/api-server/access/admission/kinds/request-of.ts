import type { AdmissionRequest, JsonObject } from '../../../contract/index.js';

/** Whether a request writes an object of one resource itself, not a subresource of it. */
export function writes({ served: { resource }, subresource, operation }: AdmissionRequest, group: string, plural: string): boolean {
  return resource.group === group && resource.plural === plural && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE');
}

/** The object with another spec. */
export function withSpec(object: JsonObject, spec: object): JsonObject {
  return { ...object, spec: { ...(object['spec'] as JsonObject), ...spec } };
}
