import { FieldSet } from './field-set.js';
import type { Versions } from './managers.js';
import type { ApiObject } from './object-fields.js';
import type { Path } from './path-element.js';
import type { TypeRef } from './type-ref.js';
import { typedValue } from './typed-value.js';

/** The facts of the resource behind an endpoint. They are gathered once, and serve every request. */
export interface Endpoint {
  /** Version of the request's URL, `apps/v1`. */
  readonly apiVersion: string;
  readonly kind: string;
  /** `status`, `scale` …; empty for the object itself. */
  readonly subresource?: string;
  /** @returns undefined for a version that is not served. */
  readonly typeAt: (apiVersion: string) => TypeRef | undefined;
  /** Converts an object to a version that {@link typeAt} knows. Not asked where the object has it already. */
  readonly convert: (object: ApiObject, apiVersion: string) => ApiObject;
  /** Fields, by version, that this endpoint resets on every write (`status` of the object itself, `spec` of its status): they are not tracked. */
  readonly resetFields?: Readonly<Record<string, readonly Path[]>>;
}

export function typeOfEndpoint({ apiVersion, typeAt }: Endpoint): TypeRef {
  const type = typeAt(apiVersion);
  if (type === undefined) throw new RangeError(`the endpoint serves ${apiVersion} and has no type for it`);
  return type;
}

/** The steps' view of an endpoint. */
export function versionsOf({ typeAt, convert, resetFields = {} }: Endpoint): Versions {
  const sets = new Map(Object.entries(resetFields).map(([apiVersion, paths]) => [apiVersion, FieldSet.of(...paths)]));
  return {
    convert(typed, apiVersion, failure = '') {
      if (typed.apiVersion === apiVersion) return typed;
      const type = typeAt(apiVersion);
      if (type === undefined) return undefined;
      return typedValue(convert(typed.value as ApiObject, apiVersion), { type, apiVersion, failure });
    },
    resetFields: (apiVersion) => sets.get(apiVersion),
  };
}
