import type { CustomResourceModel } from '../../definition/index.js';
import { errorOf, isJsonObject, type Json, type JsonObject } from '../../kubernetes/index.js';
import type { Call, Route } from './call.js';
import { NoReview, textOf } from './errors.js';
import { describeObject, textIn } from './json-record.js';
import { inVersion, versionOf } from './object-versions.js';

const API_VERSION = 'apiextensions.k8s.io/v1';
/** A list is converted in slices of so many milliseconds: others are answered in between. */
const SLICE_MS = 20;

interface Question {
  readonly uid: string;
  readonly group: string;
  readonly version: string;
  readonly objects: readonly Json[];
}

/**
 * Converts the custom resources of an operator between their versions: whole lists, in their order.
 *
 * Guarantees: all objects or none; a failure names the object, and is reported as the API expects it, with status 200 and a result of `Failure`.
 */
export function conversionRoute(path: string, resources: readonly CustomResourceModel[]): Route {
  return {
    path,
    async answer(document, call) {
      const { uid, ...question } = questionOf(document);
      const response = await convertedAll({ uid, ...question }, resources, call);
      return { apiVersion: API_VERSION, kind: 'ConversionReview', response: { uid, ...response } };
    },
  };
}

function questionOf(document: Json): Question {
  if (textIn(document, 'kind') !== 'ConversionReview' || textIn(document, 'apiVersion') !== API_VERSION)
    throw new NoReview(400, `the body is not a ConversionReview of ${API_VERSION}`);
  const request = isJsonObject(document) ? document['request'] : undefined;
  if (!isJsonObject(request)) throw new NoReview(400, 'the review has no request');
  const [group = '', version] = textIn(request, 'desiredAPIVersion').split('/');
  const objects = request['objects'];
  if (textIn(request, 'uid') === '' || version === undefined || !Array.isArray(objects))
    throw new NoReview(400, 'the request lacks its uid, its desiredAPIVersion or its objects');
  return { uid: textIn(request, 'uid'), group, version, objects: objects as readonly Json[] };
}

async function convertedAll(
  { uid, group, version, objects }: Question,
  resources: readonly CustomResourceModel[],
  call: Call,
): Promise<{ readonly [field: string]: Json }> {
  const converted: Json[] = [];
  let sliceEndMs = performance.now() + SLICE_MS;
  for (const object of objects) {
    if (performance.now() > sliceEndMs) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceEndMs = performance.now() + SLICE_MS;
    }
    call.signal.throwIfAborted();
    try {
      converted.push(convertedOne(object, { group, version }, resources));
    } catch (thrown) {
      const error = errorOf(thrown);
      const subject = describeObject(object);
      call.panicked(error, { uid, object: subject, to: version });
      const from = isJsonObject(object) ? versionOf(object) : '';
      const message = `conversion of ${subject} from ${from} to ${version} failed: ${textOf(error)}`;
      return { convertedObjects: [], result: { status: 'Failure', message } };
    }
  }
  call.log.debug('objects converted', { uid, to: `${group}/${version}`, objects: objects.length });
  return { convertedObjects: converted, result: { status: 'Success' } };
}

function convertedOne(
  object: Json,
  { group, version }: Pick<Question, 'group' | 'version'>,
  resources: readonly CustomResourceModel[],
): JsonObject {
  const [kind, from] = [textIn(object, 'kind'), textIn(object, 'apiVersion').split('/')[0]];
  const resource = resources.find((known) => known.kind === kind && known.group === group);
  if (!isJsonObject(object) || resource === undefined || from !== group)
    throw new TypeError(`${kind || 'what has no kind'} of ${from || 'no group'} is not converted to ${group} here`);
  const converted = inVersion(resource, object, version);
  // A value that JSON cannot carry would break the whole answer, and nothing would show whose fault it is.
  if (converted !== object) JSON.stringify(converted);
  return converted;
}
