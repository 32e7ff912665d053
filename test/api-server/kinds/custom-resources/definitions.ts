import type { RequestContext, Resource, ServedVersion } from '../../../../src/api-server/contract/index.js';
import type { Definition } from '../../../../src/api-server/kinds/custom-resources/index.js';
import { customResource, customResourceDefinitionBehaviour } from '../../../../src/api-server/kinds/custom-resources/index.js';
import { GoTypes } from '../../../../src/api-server/values/go-types/index.js';
import type { Json, StructuralSchema } from '../../../../src/kubernetes/apimachinery/index.js';

export const types = new GoTypes();
const CRD = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };

/** A definition as it is stored, from what a client sends. */
export function storedDefinition(manifest: object): Definition {
  const struct = types.typeOf(CRD);
  if (struct === undefined) throw new Error('no Go type of CustomResourceDefinition');
  const decoded = types.decodeJson(struct, manifest).value as unknown as Definition;
  customResourceDefinitionBehaviour.setDefaults(decoded);
  customResourceDefinitionBehaviour.prepareForCreate(decoded);
  return decoded;
}

export interface VersionOptions {
  readonly name?: string;
  readonly storage?: boolean;
  readonly served?: boolean;
  readonly [field: string]: unknown;
}

export const SPEC: StructuralSchema = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 1 },
    mode: { type: 'string', default: 'fast' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' }, port: { type: 'integer' } } },
    },
  },
};

export function widgetSchema(spec: StructuralSchema = SPEC): { readonly openAPIV3Schema: StructuralSchema } {
  const status: StructuralSchema = { type: 'object', properties: { ready: { type: 'boolean' }, replicas: { type: 'integer' } } };
  return { openAPIV3Schema: { type: 'object', properties: { spec, status } } };
}

export function version({ name = 'v1', storage = true, served = true, ...fields }: VersionOptions = {}): object {
  return { name, served, storage, schema: widgetSchema(), subresources: { status: {} }, ...fields };
}

/** A definition of Widgets. */
export function widgets(spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com', ...metadata },
    spec: { group: 'example.com', scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions: [version()], ...spec },
  };
}

export function widget(spec: Json, fields: object = {}): { readonly [field: string]: Json } {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'one', namespace: 'default' }, spec, ...fields };
}

const refused = { call: () => Promise.reject(new Error('no webhook was expected to be called')) };

/** The resource of a definition whose names are accepted. */
export function resourceOf(manifest: object, options: Partial<Parameters<typeof customResource>[1]> = {}): Resource {
  const definition = storedDefinition(manifest);
  if (definition.status !== undefined) definition.status.acceptedNames = definition.spec.names;
  return customResource(definition, { types, webhooks: refused, isTerminating: () => false, ...options });
}

export function versionOf(resource: Resource, name = 'v1'): ServedVersion {
  const found = resource.versions.find((candidate) => candidate.version === name);
  if (found === undefined) throw new Error(`${name} is not served`);
  return found;
}

export function contextOf(fields: Partial<RequestContext> = {}): RequestContext {
  return {
    user: { username: 'test', groups: [] },
    fieldManager: 'test',
    fieldValidation: 'Strict',
    isDryRun: false,
    now: () => new Date('2026-01-02T03:04:05Z'),
    warn: () => undefined,
    signal: new AbortController().signal,
    authorize: () => undefined,
    ...fields,
  };
}
