import type { ApiObject, Endpoint } from '../../../../../src/api-server/values/apply/index.js';
import type { Json } from '../../../../../src/kubernetes/apimachinery/index.js';
import type { Random } from './random.js';

/** A kind of object that random writes are made to. */
export interface Subject {
  readonly kind: string;
  /** Versions that it is written at; the first is the one it is compared at. */
  readonly apiVersions: readonly [string, ...string[]];
  /** `/apis/apps/v1/namespaces/default/deployments`. */
  collection(apiVersion: string): string;
  endpoint(apiVersion: string, subresource: string): Endpoint;
  readonly empty: (apiVersion: string) => ApiObject;
  /** Subresources that it is also applied to. */
  readonly subresources: readonly string[];
  /** A configuration without `metadata.name`. */
  configuration(random: Random): JsonObject;
  /** Changes a live object somewhere, as a client that updates does. */
  mutate(random: Random, object: JsonObject): void;
  /** Defaulting, pruning, and what a Go type leaves out; undefined where only the real server can tell. */
  readonly finish?: (object: ApiObject) => ApiObject;
}

/** JSON that a test builds and changes. */
export type JsonObject = { [key: string]: Json };

export function copyOf<T>(value: T): T {
  return structuredClone(value);
}

/** A map inside an object; made where it is missing. */
export function mapIn(object: JsonObject, ...path: readonly string[]): JsonObject {
  let at = object;
  for (const name of path) {
    const next = at[name];
    if (typeof next !== 'object' || next === null || Array.isArray(next)) at[name] = {};
    at = at[name] as JsonObject;
  }
  return at;
}

/** A list inside an object; made where it is missing. */
export function listIn(object: JsonObject, name: string): Json[] {
  if (!Array.isArray(object[name])) object[name] = [];
  return object[name] as Json[];
}

/** Sets a few of some keys to one of three values, or removes them. */
export function mutateMap(random: Random, map: JsonObject, keys: readonly string[]): void {
  for (const key of random.some(keys, 0.4)) {
    if (random.chance(0.3)) delete map[key];
    else map[key] = random.one(['0', '1', '2']);
  }
}

export function randomMap(random: Random, keys: readonly string[]): JsonObject {
  return Object.fromEntries(random.some(keys).map((key) => [key, random.one(['0', '1', '2'])]));
}

/** What `omitempty` of a Go type leaves out when it is written. */
export function withoutEmpty(object: ApiObject): ApiObject {
  const isEmpty = (value: Json): boolean => value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
}

/** `metadata` is a Go type in every object, in a custom resource too. */
export function withoutEmptyMeta(object: ApiObject): ApiObject {
  return { ...object, metadata: withoutEmpty(object['metadata'] as ApiObject) };
}
