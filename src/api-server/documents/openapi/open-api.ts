import { createHash } from 'node:crypto';
import type { JsonObject, Resource, ResourceCatalog, Served } from '../../contract/index.js';
import { firstAccepted } from './accept.js';
import type { BuiltinDefinitions } from './builtin-definitions.js';
import { groupVersionDocument } from './group-version-document.js';
import { swaggerDocument, swaggerProtobuf } from './v2/index.js';

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
  /** Protobuf as bytes, all else as text. */
  readonly body: string | Uint8Array;
}

interface Document {
  /** A resource that is replaced in the catalog is another object there. */
  readonly resources: readonly Served[];
  readonly text: string;
  readonly hash: string;
  readonly made: Date;
}

/** The one document of OpenAPI 2. */
interface Swagger extends Omit<Document, 'resources'> {
  /** Revision of the catalog that the document shows. */
  readonly revision: number;
  /** Made when the first client asks for it. */
  protobuf?: Buffer;
}

const ROOT = '/openapi/v3';
const JSON_TYPE = 'application/json';
/** The first is what an answer calls itself; the second, with its `@`, is what old clients ask for. */
const SWAGGER_PROTOBUF = [
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
] as const;
const YEAR_IN_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * `/openapi/v3`: the index, and a document for each group version.
 *
 * A document is made when it is asked for, and again only when one of its own resources has changed. Those of v3 are JSON alone: who accepts nothing but
 * protobuf gets 406. `/openapi/v2` is one document of everything, in JSON or in gnostic's protobuf, as Argo CD, Terraform, generators of clients and kubectl
 * read it.
 * Source: kube-openapi `pkg/handler{,3}`, kube-aggregator `pkg/controllers/openapiv3`, 1.34.
 */
export class OpenApi {
  readonly #options: OpenApiOptions;
  readonly #documents = new Map<string, Document>();
  #swagger: Swagger | undefined;
  #index: { readonly revision: number; readonly text: string } | undefined;

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  /** @returns undefined for a path outside of OpenAPI. */
  answer(request: OpenApiRequest): OpenApiAnswer | undefined {
    const { path } = request;
    if (path === '/openapi/v2') return this.#swaggerAnswer(request);
    // The real server forgets to say that this is JSON.
    if (path === ROOT || path === `${ROOT}/`)
      return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: this.#indexText() };
    return path.startsWith(`${ROOT}/`) ? this.#document(path.slice(ROOT.length + 1), request) : undefined;
  }

  #document(name: string, { query, headers }: OpenApiRequest): OpenApiAnswer {
    const resources = this.#groupVersions().get(name);
    if (resources === undefined) return { status: 404, headers: {}, body: '' };
    if (firstAccepted(headers['accept'], [JSON_TYPE]) === undefined) return { status: 406, headers: { Vary: 'Accept' }, body: '' };
    const { text, hash, made } = this.#current(name, resources);
    const tag = { 'Content-Type': JSON_TYPE, ETag: `"${hash}"`, Vary: 'Accept' };
    const wanted = query.get('hash') ?? '';
    if (wanted !== '' && wanted !== hash) return { status: 301, headers: { ...tag, Location: urlOf(name, hash) }, body: '' };
    const expires = new Date(this.#options.now().getTime() + YEAR_IN_MS).toUTCString();
    const lasting = wanted === '' ? {} : { 'Cache-Control': 'public, immutable', Expires: expires };
    return unlessKnown(headers, { made, hash, answer: { ...tag, ...lasting }, body: text });
  }

  #swaggerAnswer({ headers }: OpenApiRequest): OpenApiAnswer {
    const accepted = firstAccepted(headers['accept'], [JSON_TYPE, ...SWAGGER_PROTOBUF]);
    if (accepted === undefined) return { status: 406, headers: { Vary: 'Accept' }, body: '' };
    const swagger = this.#currentSwagger();
    const { made, hash, text } = swagger;
    const isJson = accepted === JSON_TYPE;
    // One tag for both forms: `Vary` keeps them apart.
    const answer = { 'Content-Type': isJson ? JSON_TYPE : SWAGGER_PROTOBUF[0], ETag: `"${hash}"`, Vary: 'Accept' };
    if (isJson) return unlessKnown(headers, { made, hash, answer, body: text });
    swagger.protobuf ??= swaggerProtobuf(JSON.parse(text) as JsonObject);
    return unlessKnown(headers, { made, hash, answer, body: swagger.protobuf });
  }

  #currentSwagger(): Swagger {
    const { revision, resources } = this.#options.catalog;
    if (this.#swagger?.revision === revision) return this.#swagger;
    const served = resources.flatMap((resource) => resource.versions.map((version) => ({ resource, version })));
    const text = JSON.stringify(swaggerDocument(served, this.#options));
    const hash = hashOf(text);
    // If the document did not change with the catalog, clients need not read it again.
    const known = this.#swagger?.hash === hash ? this.#swagger : { text, hash, made: this.#options.now() };
    this.#swagger = { ...known, revision };
    return this.#swagger;
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
    const hash = hashOf(text);
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

function hashOf(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
}

interface Content {
  readonly made: Date;
  readonly hash: string;
  /** Headers of the answer, whether or not it has a body. */
  readonly answer: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** 304 for a client that has this very document. Source: Go `net/http/fs.go` (ServeContent). */
function unlessKnown(headers: OpenApiRequest['headers'], { made, hash, answer, body }: Content): OpenApiAnswer {
  if (isKnown(headers, { made, hash })) {
    const { 'Content-Type': _, ...rest } = answer;
    return { status: 304, headers: rest, body: '' };
  }
  return { status: 200, headers: { ...answer, 'Last-Modified': made.toUTCString(), 'Accept-Ranges': 'bytes' }, body };
}

function isKnown(headers: OpenApiRequest['headers'], { made, hash }: Pick<Content, 'made' | 'hash'>): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags.split(',').some((tag) => ['*', `"${hash}"`, `W/"${hash}"`].includes(tag.trim()));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Math.floor(made.getTime() / 1000) * 1000 <= since;
}
