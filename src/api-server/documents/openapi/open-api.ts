import { createHash } from 'node:crypto';
import type { JsonObject, Resource, ResourceCatalog, Served } from '../../contract/index.js';
import type { BuiltinDefinitions } from './builtin-definitions.js';
import { groupVersionDocument } from './group-version-document.js';

export interface OpenApiOptions {
  readonly catalog: ResourceCatalog;
  readonly definitions: BuiltinDefinitions;
  /** The stored CustomResourceDefinition behind a custom resource: its schemas are published. */
  readonly customResourceDefinition: (resource: Resource) => JsonObject | undefined;
  /** Time of the server. */
  readonly now: () => Date;
}

export interface OpenApiRequest {
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface OpenApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Document {
  /** Whoever replaces a resource in the catalog puts another object there. */
  readonly resources: readonly Served[];
  readonly text: string;
  readonly hash: string;
  readonly made: Date;
}

const ROOT = '/openapi/v3';
const YEAR_IN_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * `/openapi/v3`: the index, and a document for each group version.
 *
 * A document is made when it is asked for, and again only when one of its own resources has changed. JSON alone: who accepts nothing but protobuf gets 406.
 * `/openapi/v2` is a document without definitions, and in protobuf alone: kubectl wants one before it reads a `List`, and checks nothing of it by itself that
 * it does not find there (the server does). Anything else is 406: from version 1.29 on kubectl asks there only for what it can do without.
 * Source: kube-openapi `pkg/handler3`, kube-aggregator `pkg/controllers/openapiv3`, 1.34.
 */
export class OpenApi {
  readonly #options: OpenApiOptions;
  readonly #documents = new Map<string, Document>();
  #index: { readonly revision: number; readonly text: string } | undefined;

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  /** @returns undefined for a path that is none of OpenAPI's. */
  answer(request: OpenApiRequest): OpenApiAnswer | undefined {
    const { path } = request;
    if (path === '/openapi/v2') return emptyDocument(request);
    // The real server forgets to say that this is JSON.
    if (path === ROOT || path === `${ROOT}/`)
      return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: this.#indexText() };
    return path.startsWith(`${ROOT}/`) ? this.#document(path.slice(ROOT.length + 1), request) : undefined;
  }

  #document(name: string, { query, headers }: OpenApiRequest): OpenApiAnswer {
    const resources = this.#groupVersions().get(name);
    if (resources === undefined) return { status: 404, headers: {}, body: '' };
    if (!acceptsJson(headers['accept'])) return { status: 406, headers: { Vary: 'Accept' }, body: '' };
    const { text, hash, made } = this.#current(name, resources);
    const tag = { 'Content-Type': 'application/json', ETag: `"${hash}"`, Vary: 'Accept' };
    const wanted = query.get('hash') ?? '';
    if (wanted !== '' && wanted !== hash) return { status: 301, headers: { ...tag, Location: urlOf(name, hash) }, body: '' };
    const expires = new Date(this.#options.now().getTime() + YEAR_IN_MS).toUTCString();
    const lasting = wanted === '' ? {} : { 'Cache-Control': 'public, immutable', Expires: expires };
    const found = { ...tag, ...lasting, 'Last-Modified': made.toUTCString() };
    if (headers['if-none-match'] === `"${hash}"`) return { status: 304, headers: found, body: '' };
    return { status: 200, headers: { ...found, 'Accept-Ranges': 'bytes' }, body: text };
  }

  #indexText(): string {
    const { revision } = this.#options.catalog;
    if (this.#index?.revision !== revision) {
      const names = this.#groupVersions();
      const paths = Object.fromEntries(
        [...names]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, resources]) => [name, { serverRelativeURL: urlOf(name, this.#current(name, resources).hash) }]),
      );
      for (const name of this.#documents.keys()) if (!names.has(name)) this.#documents.delete(name);
      this.#index = { revision, text: JSON.stringify({ paths }) };
    }
    return this.#index.text;
  }

  #current(name: string, resources: readonly Served[]): Document {
    const known = this.#documents.get(name);
    if (known !== undefined && areSame(known.resources, resources)) return known;
    const text = JSON.stringify(groupVersionDocument(resources, this.#options));
    const hash = createHash('sha512').update(text).digest('hex').toUpperCase();
    const document = { resources, text, hash, made: this.#options.now() };
    this.#documents.set(name, document);
    return document;
  }

  /** By `api/v1`, `apis/apps/v1`. */
  #groupVersions(): ReadonlyMap<string, readonly Served[]> {
    const found = new Map<string, Served[]>();
    for (const resource of this.#options.catalog.resources) {
      for (const version of resource.versions) {
        const name = resource.group === '' ? `api/${version.version}` : `apis/${resource.group}/${version.version}`;
        const list = found.get(name);
        if (list === undefined) found.set(name, [{ resource, version }]);
        else list.push({ resource, version });
      }
    }
    return found;
  }
}

function urlOf(name: string, hash: string): string {
  return `${ROOT}/${name}?hash=${hash}`;
}

function areSame(left: readonly Served[], right: readonly Served[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ resource, version }, index) => resource === right[index]?.resource && version === right[index]?.version)
  );
}

function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true;
  return accept.split(',').some((clause) => ['application/json', 'application/*', '*/*'].includes((clause.split(';', 1)[0] ?? '').trim()));
}

const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2';

/** Source: gnostic `openapiv2/OpenAPIv2.proto`: a document has its version of the format as field 1 and, as field 2, the title and version of the API. */
function emptyDocument({ headers }: OpenApiRequest): OpenApiAnswer {
  if (!(headers['accept'] ?? '').includes(V2_PROTOBUF)) return { status: 406, headers: { Vary: 'Accept' }, body: '' };
  const info = Buffer.concat([textField(1, 'Kubernetes'), textField(2, 'v1.34.4')]);
  const body = Buffer.concat([textField(1, '2.0'), Buffer.from([(2 << 3) | 2, info.length]), info]).toString('ascii');
  return { status: 200, headers: { 'Content-Type': `${V2_PROTOBUF}.v1.0+protobuf`, Vary: 'Accept' }, body };
}

/** A text of less than 128 bytes. */
function textField(field: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, text.length]), Buffer.from(text)]);
}
