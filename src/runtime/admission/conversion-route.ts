import { apiVersionOf, errorOf, groupVersionOf, isJsonObject, type Json, type JsonObject } from '@keelson/kubernetes/apimachinery';
import type { CustomResourceModel } from 'keelson/internal/definition';
import type { Call, Route } from './call.js';
import { NoReview, textOf } from './errors.js';
import { describeObject, textIn } from './json-record.js';
import { KnownFailures } from './known-failures.js';
import { inVersion, versionOf } from './object-versions.js';
import { publishConversion } from './review-channel.js';

const API_VERSION = 'apiextensions.k8s.io/v1';
/** A list is converted in slices of so many milliseconds: others are answered in between. */
const SLICE_MS = 20;
/** A list may hold thousands that fail for one reason. */
const MOST_NAMED = 5;

interface Question {
  readonly uid: string;
  readonly group: string;
  readonly version: string;
  readonly objects: readonly Json[];
}

/**
 * Converts the custom resources of an operator between their versions: whole lists, in their order.
 *
 * Guarantees: all objects or none, as the API has it; a failure names each object that cannot be converted, the others are tried all the same; it is reported as
 * the API expects it, with status 200 and a result of `Failure`; an object is logged once for a cause, however often it is asked for.
 */
export function conversionRoute(path: string, resources: readonly CustomResourceModel[]): Route {
  const known = new KnownFailures();
  return {
    path,
    async answer(document, call) {
      const question = questionOf(document);
      const { uid } = question;
      const startedMs = performance.now();
      const response = await convertedAll(question, { resources, known }, call);
      publishConversion(question, { response, tookMs: performance.now() - startedMs });
      return { apiVersion: API_VERSION, kind: 'ConversionReview', response: { uid, ...response } };
    },
  };
}

function questionOf(document: Json): Question {
  if (textIn(document, 'kind') !== 'ConversionReview' || textIn(document, 'apiVersion') !== API_VERSION)
    throw new NoReview(400, `the body is not a ConversionReview of ${API_VERSION}`);
  const request = isJsonObject(document) ? document['request'] : undefined;
  if (!isJsonObject(request)) throw new NoReview(400, 'the review has no request');
  const { group, version } = groupVersionOf(textIn(request, 'desiredAPIVersion'));
  const objects = request['objects'];
  if (textIn(request, 'uid') === '' || group === '' || !Array.isArray(objects))
    throw new NoReview(400, 'the request lacks its uid, its desiredAPIVersion or its objects');
  return { uid: textIn(request, 'uid'), group, version, objects: objects as readonly Json[] };
}

interface Converting {
  readonly resources: readonly CustomResourceModel[];
  readonly known: KnownFailures;
}

async function convertedAll(
  { uid, group, version, objects }: Question,
  { resources, known }: Converting,
  call: Call,
): Promise<{ readonly [field: string]: Json }> {
  const converted: Json[] = [];
  const failures: string[] = [];
  let sliceEndMs = performance.now() + SLICE_MS;
  for (const object of objects) {
    if (performance.now() > sliceEndMs) {
      await new Promise((resolve) => setImmediate(resolve));
      sliceEndMs = performance.now() + SLICE_MS;
    }
    call.signal.throwIfAborted();
    const subject = describeObject(object);
    const from = isJsonObject(object) ? versionOf(object) : '';
    const id = `${uidOf(object) || subject} ${from} ${version}`;
    try {
      converted.push(convertedOne(object, { group, version }, resources));
      if (known.succeeded(id)) call.log.info('an object can be converted again', { object: subject, from, to: version });
    } catch (thrown) {
      const error = errorOf(thrown);
      call.panicked(error, { uid, object: subject, from, to: version }, known.failed(id, textOf(error)));
      failures.push(`conversion of ${subject} from ${from} to ${version} failed: ${textOf(error)}`);
    }
  }
  if (failures.length > 0) return { convertedObjects: [], result: failure(failures) };
  call.log.debug('objects converted', { uid, to: apiVersionOf({ group, version }), objects: objects.length });
  return { convertedObjects: converted, result: { status: 'Success' } };
}

/** Clients are shown the message alone: the API server leaves out the rest. */
function failure(failures: readonly string[]): JsonObject {
  const more = failures.length - MOST_NAMED;
  const message = `${failures.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; and ${more} more objects` : ''}`;
  return { status: 'Failure', message, reason: 'InternalError', code: 500 };
}

function uidOf(object: Json): string {
  return isJsonObject(object) ? textIn(object['metadata'], 'uid') : '';
}

function convertedOne(
  object: Json,
  { group, version }: Pick<Question, 'group' | 'version'>,
  resources: readonly CustomResourceModel[],
): JsonObject {
  const [kind, { group: from }] = [textIn(object, 'kind'), groupVersionOf(textIn(object, 'apiVersion'))];
  const resource = resources.find((known) => known.kind === kind && known.group === group);
  if (!isJsonObject(object) || resource === undefined || from !== group)
    throw new TypeError(`${kind || 'what has no kind'} of ${from || 'no group'} is not converted to ${group} here`);
  const converted = inVersion(resource, object, version);
  // A value that JSON cannot carry would break the whole answer, and nothing would show whose fault it is.
  if (converted !== object) JSON.stringify(converted);
  return converted;
}
