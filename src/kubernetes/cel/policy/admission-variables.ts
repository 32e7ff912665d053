import type { Json } from '../../apimachinery/index.js';
import type { CelValue } from '../values/index.js';
import { untypedValue } from '../values/index.js';

/** The variables of an admission expression for one request, as JSON. */
export interface AdmissionVariables {
  /** Null when an object is deleted. */
  readonly object: Json;
  /** Null when an object is created. */
  readonly oldObject: Json;
  /** `request` of the AdmissionReview. Fields that are empty there are absent, and reading them is an error. */
  readonly request: Json;
  /** The Namespace of the object. @defaultValue null, as for objects that have none */
  readonly namespaceObject?: Json;
  /** @defaultValue null: the policy's binding names none */
  readonly params?: Json;
}

/** The bindings of a request. `authorizer` is not among them: no authorizer can be asked here, so that an expression that uses it fails to run. */
export function bindingsOf(request: AdmissionVariables): Readonly<Record<string, CelValue>> {
  return {
    object: untypedValue(request.object),
    oldObject: untypedValue(request.oldObject),
    request: untypedValue(request.request),
    namespaceObject: untypedValue(request.namespaceObject ?? null),
    params: untypedValue(request.params ?? null),
  };
}
