import { OperatorError } from '@keelson/kubernetes/apimachinery';
import type { Decoded, Draft, JsonObject } from '../contract/index.js';
import type { BuiltinDefinitions } from '../documents/index.js';
import { badRequest } from '../status/index.js';
import type { GoStruct, GoTypes } from '../values/index.js';
import { builtinTypes, PatchType } from '../values/index.js';
import { checkType, type DecodesOther, type Subject } from './subject.js';

const SCALE = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
const TYPE = { kind: 'Scale', apiVersion: 'autoscaling/v1' };
const DEFINITION = 'io.k8s.api.autoscaling.v1.Scale';

/** `autoscaling/v1` Scales: a Go type for all resources, custom ones too. */
export function scaleSubject({
  types,
  definitions,
  decodesOther,
}: {
  types: GoTypes;
  definitions: BuiltinDefinitions;
  decodesOther: DecodesOther;
}): Subject {
  const struct = structOf(types);
  const type = builtinTypes(definitions)(DEFINITION);
  return {
    ...TYPE,
    decode: (body) => decodeScale(types, struct, body),
    setDefaults: () => undefined,
    empty: { ...TYPE, ...types.emptyValue(struct) } as JsonObject,
    endpoint: {
      ...TYPE,
      subresource: 'scale',
      typeAt: (apiVersion) => (apiVersion === TYPE.apiVersion ? type : undefined),
      convert: (object) => object,
    },
    patchType: PatchType.of(DEFINITION, definitions),
    checkType: (body) => checkType(TYPE, body, decodesOther),
  };
}

function structOf(types: GoTypes): GoStruct {
  const struct = types.typeOf(SCALE);
  if (struct === undefined) throw new RangeError('the table of Go types has no autoscaling/v1 Scale: generate it again');
  return struct;
}

function decodeScale(types: GoTypes, struct: GoStruct, body: unknown): Decoded {
  try {
    const { value, unknown } = types.decodeJson(struct, body);
    return { draft: { ...value, ...TYPE } as Draft, strictProblems: unknown };
  } catch (error) {
    if (!OperatorError.isOperatorError(error) || error.code !== 'KEELSON_GO_DECODE') throw error;
    throw badRequest(`Scale in version "v1" cannot be handled as a Scale: ${error.message}`);
  }
}
