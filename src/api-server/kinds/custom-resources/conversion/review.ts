import { goKindText, goQuote, type Json } from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject } from '../../../contract/index.js';

export type ReviewVersion = 'v1' | 'v1beta1';

export interface ReviewRequest {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly desiredApiVersion: string;
  readonly objects: readonly JsonObject[];
}

/** A ConversionReview as the server sends it: with an empty response. */
export function conversionReview({ version, uid, desiredApiVersion, objects }: ReviewRequest): JsonObject {
  return {
    kind: 'ConversionReview',
    apiVersion: `apiextensions.k8s.io/${version}`,
    request: { uid, desiredAPIVersion: desiredApiVersion, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  };
}

/** The objects of an answer; a text says why they are missing. */
export function convertedObjects(answer: unknown, { version, uid }: ReviewRequest): readonly Json[] | string {
  const review = fieldsOf(answer as Json);
  const problem = version === 'v1' ? typeProblem(review) : undefined;
  if (problem !== undefined) return problem;
  const response = review?.['response'];
  if (!isObject(response)) return 'no response provided';
  const given = textOf(response['uid']);
  if (version === 'v1' && given !== uid) return `expected response.uid=${goQuote(uid)}, got ${goQuote(given)}`;
  const result = fieldsOf(response['result']);
  const status = textOf(result?.['status']);
  if (status !== 'Success') return textOf(result?.['message']) || `response.result.status was '${status}', not 'Success'`;
  const objects = response['convertedObjects'];
  return Array.isArray(objects) ? (objects as readonly Json[]) : [];
}

/** Only of `v1` the server looks whether it got what it had asked for. */
function typeProblem(review: JsonObject | undefined): string | undefined {
  const [apiVersion, kind] = [textOf(review?.['apiVersion']), textOf(review?.['kind'])];
  if (apiVersion === 'apiextensions.k8s.io/v1' && kind === 'ConversionReview') return undefined;
  return `expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got ${goKindText(apiVersion, kind)}`;
}

function fieldsOf(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
