import type { JsonObject, Target } from '../contract/index.js';
import { badRequest } from '../status/index.js';
import { metadataOf } from './metadata.js';

/** @throws StatusError 400 when the object is not the one that the URL names */
export function checkName({ name, namespace }: Target, object: JsonObject): void {
  const { name: given = '', namespace: givenNamespace = '' } = metadataOf(object);
  if (given === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  if (namespace === '' || givenNamespace === '' || givenNamespace === namespace) return;
  throw badRequest(`the namespace of the object (${givenNamespace}) does not match the namespace on the request (${namespace})`);
}
