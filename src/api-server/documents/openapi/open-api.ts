import type { JsonObject, Resource, ResourceCatalog, Served } from '../../contract/index.js';
import { firstAccepted } from './accept.js';
import type { BuiltinDefinitions } from './builtin-definitions.js';
import { type OpenApiAnswer, type RequestHeaders, unlessKnown } from './conditional.js';
import type { OpenApiVersion } from './custom-schema.js';
import { groupVersionDocument } from './group-version-document.js';
import { openApiProtobuf, swaggerProtobuf } from './protobuf/index.js';
import { Published } from './published.js';
import { swaggerDocument } from './v2/index.js';

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
  readonly headers: RequestHeaders;
}

interface Document {
  /** A resource that is replaced in the catalog is another object there. */
  readonly resources: readonly Served[];
  readonly published: Published;
}

const ROOT = '/openapi/v3';
const JSON_TYPE = 'application/json';
const [SWAGGER_PROTOBUF, PROTOBUF] = [protobufTypes('v2'), protobufTypes('v3')];
const YEAR_IN_MS = 365 * 24 * 60 * 60 * 1000;

/**
 * `/openapi/v3`: the index, and a document for each group version.
 *
 * A document is made when it is asked for, and again only when one of its own resources has changed. `/openapi/v2` is one document of everything, as Argo CD,
 * Terraform, generators of clients and kubectl read it. Those of both versions are there in JSON and in gnostic's protobuf.
 * Source: kube-openapi `pkg/handler{,3}`, kube-aggregator `pkg/controllers/openapiv3`.
 */
export class OpenApi {
  readonly #options: OpenApiOptions;
  readonly #documents = new Map<string, Document>();
  /** The one document of OpenAPI 2, and the revision of the catalog that it shows. */
  #swagger: { readonly revision: number; readonly published: Published } | undefined;
  #index: { readonly revision: number; readonly text: string } | undefined;

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  /** @returns undefined for a path outside of OpenAPI. */
  answer(request: OpenApiRequest): OpenApiAnswer | undefined {
    const { path } = request;
    if (path === '/openapi/v2') return this.#swaggerAnswer(request);
    if (path !== ROOT && !path.startsWith(`${ROOT}/`)) return undefined;
    const answer = path === ROOT ? this.#indexAnswer(request) : this.#document(path.slice(ROOT.length + 1), request);
    return { ...answer, isNeverCompressed: true };
  }

  /** The real server forgets to say that this is JSON, and makes it anew for each request. */
  #indexAnswer({ headers }: OpenApiRequest): OpenApiAnswer {
    const answer = { 'Content-Type': 'text/plain; charset=utf-8' };
    return unlessKnown(headers, { made: this.#options.now(), answer, body: this.#indexText() });
  }

  #document(name: string, { query, headers }: OpenApiRequest): OpenApiAnswer {
    const resources = this.#groupVersions().get(name);
    if (resources === undefined) return { status: 404, headers: {}, body: '' };
    const accepted = firstAccepted(headers['accept'], [JSON_TYPE, ...PROTOBUF]);
    if (accepted === undefined) return { status: 406, headers: { Vary: 'Accept' }, body: '' };
    const published = this.#current(name, resources);
    const { hash, made } = published;
    const body = accepted === JSON_TYPE ? published.json : published.protobuf;
    // The real server answers with nothing if it cannot write the document, and does not look at the hash.
    if (body === undefined) return { status: 200, headers: {}, body: '' };
    const tag = { 'Content-Type': accepted === JSON_TYPE ? JSON_TYPE : PROTOBUF[0], ETag: `"${hash}"`, Vary: 'Accept' };
    const wanted = query.get('hash') ?? '';
    if (wanted !== '' && wanted !== hash) return { status: 301, headers: { ...tag, Location: urlOf(name, hash) }, body: '' };
    const expires = new Date(this.#options.now().getTime() + YEAR_IN_MS).toUTCString();
    const lasting = wanted === '' ? {} : { 'Cache-Control': 'public, immutable', Expires: expires };
    return unlessKnown(headers, { made, hash, answer: { ...tag, ...lasting }, body });
  }

  #swaggerAnswer({ headers }: OpenApiRequest): OpenApiAnswer {
    const accepted = firstAccepted(headers['accept'], [JSON_TYPE, ...SWAGGER_PROTOBUF]);
    if (accepted === undefined) return { status: 406, headers: { Vary: 'Accept' }, body: '' };
    const published = this.#currentSwagger();
    const { made, hash } = published;
    const body = accepted === JSON_TYPE ? published.json : published.protobuf;
    // As the real server answers for what it cannot write.
    if (body === undefined) return { status: 503, headers: { Vary: 'Accept' }, body: '' };
    const answer = { 'Content-Type': accepted === JSON_TYPE ? JSON_TYPE : SWAGGER_PROTOBUF[0], ETag: `"${hash}"`, Vary: 'Accept' };
    return unlessKnown(headers, { made, hash, answer, body });
  }

  #currentSwagger(): Published {
    const { revision, resources } = this.#options.catalog;
    if (this.#swagger?.revision === revision) return this.#swagger.published;
    const served = resources.flatMap((resource) => resource.versions.map((version) => ({ resource, version })));
    const text = JSON.stringify(swaggerDocument(served, this.#options));
    const made = new Published(text, { made: this.#options.now(), write: swaggerProtobuf });
    // If the document did not change with the catalog, clients need not read it again.
    const published = this.#swagger?.published.hash === made.hash ? this.#swagger.published : made;
    this.#swagger = { revision, published };
    return published;
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

  #current(name: string, resources: readonly Served[]): Published {
    const known = this.#documents.get(name);
    if (known !== undefined && areSame(known.resources, resources)) return known.published;
    const text = JSON.stringify(groupVersionDocument(resources, this.#options)).replace(/[\u2028\u2029]/g, escaped);
    const published = new Published(text, { made: this.#options.now(), write: openApiProtobuf });
    this.#documents.set(name, { resources, published });
    return published;
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

/** The first is what an answer calls itself; the second, with its `@`, is what old clients ask for. */
function protobufTypes(version: OpenApiVersion): readonly [string, string] {
  const name = `application/com.github.proto-openapi.spec.${version}`;
  return [`${name}.v1.0+protobuf`, `${name}@v1.0+protobuf`];
}

function urlOf(name: string, hash: string): string {
  return `${ROOT}/${name}?hash=${hash}`;
}

/** Go writes these two characters as codes in OpenAPI 3, and as they are in OpenAPI 2. YAML reads the two forms differently. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16)}`;
}

function areSame(left: readonly Served[], right: readonly Served[]): boolean {
  return (
    left.length === right.length &&
    left.every(({ resource, version }, index) => resource === right[index]?.resource && version === right[index]?.version)
  );
}
