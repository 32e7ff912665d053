import type { ServiceAccountTokens } from '../access/index.js';
import type { ClusterView, JsonObject, Resource, ResourceCatalog } from '../contract/index.js';
import { builtinDefinitions, Discovery, OpenApi } from '../documents/index.js';
import { type DocumentAnswer, type DocumentHandler, type DocumentRequest, type Documents, methodNotAllowed } from '../http/index.js';

export interface DocumentsOptions {
  readonly catalog: ResourceCatalog;
  readonly cluster: ClusterView;
  readonly tokens: ServiceAccountTokens;
  readonly now: () => Date;
  readonly metrics: () => DocumentAnswer;
  /** Where clients reach the server: part of the OpenID document. */
  readonly url: () => string;
}

const HEALTH_PATHS = ['/healthz', '/livez', '/readyz'];
const OPENID_CONFIGURATION = '/.well-known/openid-configuration';
const JWKS = '/openid/v1/jwks';

/** The paths beside the resources: discovery, OpenAPI, version, health, keys of tokens. */
export class ServerDocuments implements Documents {
  readonly #discovery: Discovery;
  readonly #openApi: OpenApi;
  readonly #options: DocumentsOptions;

  constructor(options: DocumentsOptions) {
    const { catalog, cluster, now } = options;
    this.#options = options;
    this.#discovery = new Discovery({ catalog, otherPaths: [...HEALTH_PATHS, OPENID_CONFIGURATION, JWKS, '/metrics', '/openapi/v3'] });
    this.#openApi = new OpenApi({
      catalog,
      definitions: builtinDefinitions(),
      customResourceDefinition: (resource) => definitionOf(resource, cluster),
      now,
    });
  }

  find(path: string): DocumentHandler | undefined {
    if (HEALTH_PATHS.includes(path)) return reading(health);
    if (path === '/metrics') return reading(this.#options.metrics);
    if (path === OPENID_CONFIGURATION || path === JWKS) return reading(() => this.#keys(path));
    // A real server answers these whatever the method is.
    if (path === '/openapi' || path.startsWith('/openapi/')) return (request) => this.#openApi.answer(plainHeaders(request)) ?? notFound();
    const isDiscovery = path === '/' || /^\/(?:api|apis|version)(?:\/|$)/.test(path);
    return isDiscovery ? reading((request) => this.#discover(request)) : undefined;
  }

  #discover(request: DocumentRequest): DocumentAnswer {
    const answer = this.#discovery.answer(plainHeaders(request));
    if (answer === undefined) return notFound();
    return 'object' in answer ? { status: answer.status, object: answer.object as JsonObject } : answer;
  }

  #keys(path: string): DocumentAnswer {
    const { tokens, url } = this.#options;
    if (path === JWKS)
      return {
        status: 200,
        headers: { 'Content-Type': 'application/jwk-set+json', 'Cache-Control': 'public, max-age=3600' },
        body: JSON.stringify(tokens.jwks()),
      };
    const body = JSON.stringify(tokens.openIdConfiguration(`${url()}${JWKS}`));
    return { status: 200, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=3600' }, body };
  }
}

function definitionOf({ group, plural }: Resource, cluster: ClusterView): JsonObject | undefined {
  return cluster.get({ group: 'apiextensions.k8s.io', plural: 'customresourcedefinitions' }, { namespace: '', name: `${plural}.${group}` });
}

function reading(handler: DocumentHandler): DocumentHandler {
  return (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
    return handler(request);
  };
}

/** A repeated header counts with its first value, as in Go. */
function plainHeaders({ path, query, headers }: DocumentRequest): {
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
} {
  const first = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value?.[0]] as const);
  return { path, query, headers: Object.fromEntries(first) };
}

function health({ path, query }: DocumentRequest): DocumentAnswer {
  const name = path.slice(1);
  const body = query.has('verbose') ? `[+]ping ok\n${name} check passed\n` : 'ok';
  return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }, body };
}

function notFound(): DocumentAnswer {
  return {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' },
    body: '404 page not found\n',
  };
}
