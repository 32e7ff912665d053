import { yamlText } from '../../../src/api-server/values/codec/index.js';
import type { GoTypes } from '../../../src/api-server/values/go-types/index.js';
import { apiVersionOf, groupVersionPath, type Json } from '../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../values/apply/differential/random.js';
import { celExpression } from './cel-expressions.js';
import { alteredJson, randomJson } from './json-values.js';
import { mangledBytes, mangledText } from './mangle.js';
import { configuration, jsonPatch, mergePatch, strategicPatch } from './patches.js';
import type { RawRequest } from './raw-client.js';
import { objectOf, SAMPLES, type Sample, WIDGETS } from './samples.js';
import { NAMES, pathText, queryText } from './texts.js';
import { TypedObjects } from './typed-objects.js';

const PATCHES: Readonly<Record<string, (random: Random, target: { readonly [field: string]: Json }) => Json>> = {
  'application/json-patch+json': jsonPatch,
  'application/merge-patch+json': mergePatch,
  'application/strategic-merge-patch+json': strategicPatch,
  'application/apply-patch+yaml': configuration,
};
const NAMESPACES = ['default', 'default', 'fuzz'];
const ACCEPTS = [
  'application/json',
  '*/*',
  '',
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'text/html',
  'application/json;stream=watch',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf,application/json',
  'x',
  ';;;',
  'application/json;as=x;v=y;g=z',
  'application/json;q=nan',
];

/** Requests that a server has to read before it can refuse them: most are nearly right. */
export class FuzzRequests {
  readonly #types: GoTypes;
  readonly #typed: TypedObjects;

  constructor(types: GoTypes) {
    this.#types = types;
    this.#typed = new TypedObjects(types);
  }

  next(random: Random): RawRequest {
    const request = random.chance(0.15) ? this.#anything(random) : this.#atResource(random);
    const accept = random.chance(0.8) ? {} : { Accept: random.one(ACCEPTS) };
    const encoding = random.chance(0.1) ? { 'Accept-Encoding': random.one(['gzip', 'gzip;q=0', 'x, gzip', '']) } : {};
    return { ...request, headers: { ...request.headers, ...accept, ...encoding } };
  }

  #anything(random: Random): RawRequest {
    const method = random.one(['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
    const body = random.chance(0.5) ? Buffer.alloc(0) : Buffer.from(mangledText(random, JSON.stringify(randomJson(random))));
    const query = queryText(random);
    return {
      method,
      path: withQuery(pathText(random), printable(query)),
      headers: { 'Content-Type': random.one(['application/json', 'x', '']) },
      body,
    };
  }

  #atResource(random: Random): RawRequest {
    const of = random.one(SAMPLES);
    const name = of.plural === 'customresourcedefinitions' ? `${WIDGETS.plural}.${WIDGETS.group}` : random.one(NAMES.slice(0, 3));
    const place = { name, namespace: random.one(NAMESPACES) };
    const verb = random.one([
      'create',
      'create',
      'create',
      'update',
      'update',
      'patch',
      'patch',
      'patch',
      'delete',
      'list',
      'get',
      'watch',
    ] as const);
    const query = random.chance(0.4) ? printable(queryText(random)) : '';
    switch (verb) {
      case 'create':
        return { method: 'POST', path: withQuery(pathOf(of, { ...place, name: '' }), query), ...this.#body(random, of, place) };
      case 'update':
        return { method: 'PUT', path: withQuery(pathOf(of, place) + subresourceOf(random, of), query), ...this.#body(random, of, place) };
      case 'patch':
        return this.#patch(random, of, { ...place, query });
      case 'delete':
        return { method: 'DELETE', path: withQuery(pathOf(of, place), query), ...deleteOptions(random) };
      case 'watch':
        return {
          method: 'GET',
          path: withQuery(pathOf(of, { ...place, name: '' }), `watch=1&${query}`),
          headers: {},
          body: Buffer.alloc(0),
        };
      default:
        return {
          method: 'GET',
          path: withQuery(pathOf(of, verb === 'get' ? place : { ...place, name: '' }), query),
          headers: {},
          body: Buffer.alloc(0),
        };
    }
  }

  #object(random: Random, of: Sample, { name, namespace }: Place): { readonly [field: string]: Json } {
    const whole = withExpressions(random, objectOf(of, name, namespace));
    const struct = this.#types.typeOf(of);
    const grafted = struct === undefined || random.chance(0.3) ? whole : this.#typed.grafted(random, struct, whole);
    if (random.chance(0.5)) return grafted;
    const altered = alteredJson(random, grafted, 0.02);
    return typeof altered === 'object' && altered !== null && !Array.isArray(altered) ? (altered as typeof grafted) : grafted;
  }

  #body(random: Random, of: Sample, place: Place): Pick<RawRequest, 'body' | 'headers'> {
    const object = this.#object(random, of, place);
    const struct = this.#types.typeOf(of);
    const format = random.one(['json', 'json', 'json', 'yaml', 'protobuf'] as const);
    if (format === 'protobuf' && struct !== undefined) {
      const bytes = this.#typed.protobuf(object, struct);
      const body = random.chance(0.3) ? mangledBytes(random, bytes) : bytes;
      return { headers: { 'Content-Type': 'application/vnd.kubernetes.protobuf' }, body };
    }
    const text = format === 'yaml' ? yamlText(object) : JSON.stringify(object);
    const contentType =
      format === 'yaml' ? 'application/yaml' : random.one(['application/json', 'application/json', 'application/json;charset=utf-8', '']);
    return { headers: { 'Content-Type': contentType }, body: Buffer.from(random.chance(0.12) ? mangledText(random, text) : text) };
  }

  #patch(random: Random, of: Sample, { query, ...place }: Place & { readonly query: string }): RawRequest {
    const contentType = random.one(Object.keys(PATCHES));
    const make = PATCHES[contentType] as (typeof PATCHES)[string];
    const text = JSON.stringify(make(random, this.#object(random, of, place)));
    const manager =
      contentType.includes('apply') && random.chance(0.95) ? `fieldManager=${random.one(['a', 'b'])}&force=${random.chance(0.5)}` : '';
    return {
      method: 'PATCH',
      path: withQuery(pathOf(of, place) + subresourceOf(random, of), [manager, query].filter((part) => part !== '').join('&')),
      headers: { 'Content-Type': contentType },
      body: Buffer.from(random.chance(0.08) ? mangledText(random, text) : text),
    };
  }
}

interface Place {
  readonly name: string;
  readonly namespace: string;
}

function pathOf({ group, version, plural, isNamespaced }: Sample, { name, namespace }: Place): string {
  const root = groupVersionPath(apiVersionOf({ group, version }));
  return `${root}${isNamespaced ? `/namespaces/${namespace}` : ''}/${plural}${name === '' ? '' : `/${name}`}`;
}

function subresourceOf(random: Random, { subresources }: Sample): string {
  return subresources.length > 0 && random.chance(0.2) ? `/${random.one(subresources)}` : '';
}

const withQuery = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

/** A request line ends at a blank. */
const printable = (query: string): string => query.replace(/[^\x21-\x7e]/g, '+');

function deleteOptions(random: Random): Pick<RawRequest, 'body' | 'headers'> {
  if (random.chance(0.7)) return { headers: {}, body: Buffer.alloc(0) };
  const options: Json = {
    ...random.maybe('kind', () => 'DeleteOptions', 0.9),
    ...random.maybe('apiVersion', () => random.one(['v1', 'meta.k8s.io/v1', 'x']), 0.9),
    ...random.maybe('gracePeriodSeconds', () => random.one<Json>([0, 30, -1, '1', 2 ** 63])),
    ...random.maybe('propagationPolicy', () => random.one<Json>(['Foreground', 'Orphan', 'Background', 'x', null])),
    ...random.maybe('preconditions', () => random.one<Json>([{ uid: 'x' }, { resourceVersion: '1' }, {}, [], null]), 0.2),
    ...random.maybe('dryRun', () => random.one<Json>([['All'], [], ['x'], 'All']), 0.2),
  };
  const text = JSON.stringify(options);
  return { headers: { 'Content-Type': 'application/json' }, body: Buffer.from(random.chance(0.2) ? mangledText(random, text) : text) };
}

const EXPRESSION_FIELDS = new Set(['expression', 'rule', 'messageExpression', 'valueExpression']);

/** Where the object has CEL, other CEL. */
function withExpressions<T extends Json>(random: Random, value: T): T {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => withExpressions(random, item)) as Json as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, item]): [string, Json] => {
    const isReplaced = EXPRESSION_FIELDS.has(name) && typeof item === 'string' && random.chance(0.3);
    return [name, isReplaced ? celExpression(random) : withExpressions(random, item)];
  });
  return Object.fromEntries(fields) as Json as T;
}
