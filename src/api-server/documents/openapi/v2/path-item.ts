import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../contract/index.js';
import { apartParameters, CODES, type Operation, operationNames } from '../operation.js';
import type { Parameter } from '../parameters.js';
import { DEFINITION } from './definitions.js';

interface SwaggerParameter extends JsonObject {
  readonly name: string;
  readonly in: string;
}

/** Parameters that many operations have stand once, at the root of the document. */
export class SharedParameters {
  readonly #names = new Map<string, string>();
  readonly #schemas = new Map<string, JsonObject>();

  /** A reference to the parameter, or the parameter itself where each operation shall show its own. */
  refer(parameter: SwaggerParameter): JsonObject {
    if (!isShared(parameter)) return parameter;
    const text = JSON.stringify(parameter);
    const name = this.#names.get(text) ?? `${parameter.name}-${createHash('sha256').update(text).digest('base64url').slice(0, 8)}`;
    this.#names.set(text, name);
    this.#schemas.set(name, parameter);
    return { $ref: `#/parameters/${name}` };
  }

  get definitions(): JsonObject {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** kubectl before 1.27 reads `dryRun` and `fieldValidation` at each operation. Source: kube-openapi `pkg/builder/parameters.go`. */
function isShared({ name, in: place, schema }: SwaggerParameter): boolean {
  if (place !== 'body') return name !== 'name' && !(place === 'query' && (name === 'fieldValidation' || name === 'dryRun'));
  return String((schema as JsonObject)['$ref']).startsWith(`${DEFINITION}io.k8s.apimachinery`);
}

/** The entry of a path: its operations, each with the parameters that are its alone. */
export function swaggerPathItem(
  operations: readonly Operation[],
  groupVersion: { readonly group: string; readonly version: string },
  parameters: SharedParameters,
): JsonObject {
  const { shared, own } = apartParameters(operations);
  return {
    ...Object.fromEntries(
      operations.map((operation, index) => [
        operation.method,
        swaggerOperation(operation, { groupVersion, parameters: parametersOf(own[index] ?? [], operation, parameters) }),
      ]),
    ),
    ...(shared.length === 0 ? {} : { parameters: parametersOf(shared, {}, parameters) }),
  };
}

function parametersOf(own: readonly Parameter[], { body }: Pick<Operation, 'body'>, parameters: SharedParameters): readonly JsonObject[] {
  const schemas: SwaggerParameter[] = own.map(({ name, in: place, type }) => ({
    uniqueItems: true,
    type,
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
  }));
  if (body !== undefined) {
    const required = body.isOptional === true ? {} : { required: true };
    schemas.push({ name: 'body', in: 'body', ...required, schema: { $ref: DEFINITION + body.definition } });
  }
  const key = ({ name, in: place }: SwaggerParameter): string => `${name}\0${place}`;
  return schemas.sort((a, b) => (key(a) < key(b) ? -1 : 1)).map((schema) => parameters.refer(schema));
}

interface OperationPlace {
  readonly groupVersion: { readonly group: string; readonly version: string };
  readonly parameters: readonly JsonObject[];
}

function swaggerOperation(operation: Operation, { groupVersion, parameters }: OperationPlace): JsonObject {
  const { answer, consumes, action, kind } = operation;
  const schema = answer.definition === undefined ? { type: 'string' } : { $ref: DEFINITION + answer.definition };
  return {
    consumes,
    produces: answer.contentTypes,
    schemes: ['https'],
    ...operationNames(operation, groupVersion),
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: responsesOf(answer.codes, schema),
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: kind.group, kind: kind.kind, version: kind.version },
  };
}

export function responsesOf(codes: readonly number[], schema: JsonObject): JsonObject {
  return {
    ...Object.fromEntries(codes.map((code) => [code, { description: CODES[code] ?? '', schema }])),
    401: { description: CODES[401] ?? '' },
  };
}
