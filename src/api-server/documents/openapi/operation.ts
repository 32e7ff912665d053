import type { JsonObject } from '../../contract/index.js';
import { type Parameter, parameterSchemas } from './parameters.js';

export type Method = 'delete' | 'get' | 'head' | 'options' | 'patch' | 'post' | 'put';

/** One method of one path, before parameters that all methods share are taken out. */
export interface Operation {
  readonly method: Method;
  /** As the server's own code names it: `listNamespacedDeployment`. */
  readonly name: string;
  readonly action: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly parameters: readonly Parameter[];
  /** Media types of a body, also where none is read: OpenAPI v2 names them all the same. */
  readonly consumes: readonly string[];
  /** Definition of the body; undefined: none is read. */
  readonly body?: { readonly definition: string; readonly isOptional?: boolean };
  /** Definition of the answer; undefined: text. */
  readonly answer: { readonly definition: string | undefined; readonly contentTypes: readonly string[]; readonly codes: readonly number[] };
}

export const REFERENCE = '#/components/schemas/';
export const CODES: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 401: 'Unauthorized' };

/** The entry of a path: its operations, each with the parameters that are its alone. */
export function pathItem(operations: readonly Operation[], groupVersion: { readonly group: string; readonly version: string }): JsonObject {
  const { shared, own } = apartParameters(operations);
  return {
    ...Object.fromEntries(
      operations.map((operation, index) => [operation.method, operationSchema(operation, own[index] ?? [], groupVersion)]),
    ),
    ...(shared.length === 0 ? {} : { parameters: parameterSchemas(shared) }),
  };
}

/** Parameters that all operations of a path have, and what is left of each one's own. */
export function apartParameters(operations: readonly Operation[]): {
  readonly shared: readonly Parameter[];
  readonly own: readonly (readonly Parameter[])[];
} {
  const [first, ...others] = operations;
  const shared = (first?.parameters ?? []).filter((parameter) => others.every(({ parameters }) => hasParameter(parameters, parameter)));
  return { shared, own: operations.map(({ parameters }) => parameters.filter((parameter) => !hasParameter(shared, parameter))) };
}

function hasParameter(parameters: readonly Parameter[], { name, in: place }: Parameter): boolean {
  return parameters.some((other) => other.name === name && other.in === place);
}

function operationSchema(
  operation: Operation,
  parameters: readonly Parameter[],
  { group, version }: { group: string; version: string },
): JsonObject {
  const { body, consumes, answer } = operation;
  return {
    ...operationNames(operation, { group, version }),
    ...(parameters.length === 0 ? {} : { parameters: parameterSchemas(parameters) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: { content: contentOf(body.definition, consumes), ...(body.isOptional === true ? {} : { required: true }) },
        }),
    responses: {
      ...Object.fromEntries(
        answer.codes.map((code) => [code, { description: CODES[code] ?? '', content: contentOf(answer.definition, answer.contentTypes) }]),
      ),
      401: { description: 'Unauthorized' },
    },
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': { ...operation.kind },
  };
}

/** Tags and id of an operation, the same in both versions of OpenAPI. */
export function operationNames({ name }: Operation, { group, version }: { readonly group: string; readonly version: string }): JsonObject {
  const tag = groupTag(group);
  return { tags: [`${tag}_${version}`], operationId: operationId(name, capital(tag) + capital(version)) };
}

/** By media type, sorted: a map in Go. */
export function contentOf(definition: string | undefined, contentTypes: readonly string[]): JsonObject {
  const schema = definition === undefined ? { type: 'string' } : { $ref: REFERENCE + definition };
  return Object.fromEntries(contentTypes.toSorted().map((type) => [type, { schema }]));
}

/** `rbac.authorization.k8s.io`: `rbacAuthorization`. */
export function groupTag(group: string): string {
  if (group === '') return 'core';
  const words = group.replace(/\.k8s\.io$/, '').split('.');
  return words.map((word, index) => (index === 0 ? word : capital(word))).join('');
}

const VERBS = ['get', 'log', 'read', 'replace', 'patch', 'delete', 'deletecollection', 'watch', 'connect', 'proxy', 'list', 'create'];

/** Group and version go behind the first word. Source: apiserver `pkg/endpoints/openapi/openapi.go` (GetOperationIDAndTags). */
function operationId(name: string, groupVersion: string): string {
  const verb = VERBS.find((candidate) => name.startsWith(candidate)) ?? '';
  return verb + groupVersion + capital(name.slice(verb.length));
}

export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
