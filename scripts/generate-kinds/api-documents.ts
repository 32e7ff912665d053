import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';

/** The parts of an OpenAPI schema that Kubernetes writes. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic';
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface DiscoveredSubresource {
  readonly subresource: string;
  readonly responseKind?: GroupVersionKind;
  readonly verbs: readonly string[];
}

export interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: readonly DiscoveredSubresource[];
}

export interface DiscoveredGroup {
  readonly metadata: { readonly name?: string };
  /** The preferred version first. */
  readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
}

/** Documents of a server about its API, by request path. */
export type ApiDocuments = ReadonlyMap<string, string>;

const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const GROUP_VERSION_PATH = /^(api\/v1|apis\/[^/]+\/[^/]+)$/;
/** Documents with the types of discovery (`APIGroup`) and of the version: OpenAPI v2 refers to them. */
const COMMON_PATH = /^(api|apis|version|apis\/apps)$/;

export interface ServerAccess {
  readonly url: string;
  readonly token?: string | undefined;
  /** PEM; absent: the system's authorities. */
  readonly ca?: string | undefined;
  /** PEM client certificate and key. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** Asks a running API server for aggregated discovery, every OpenAPI v3 document, and the older discovery documents, which alone have the hashes of stored versions. */
export async function readServer(access: ServerAccess): Promise<ApiDocuments> {
  const documents = new Map<string, string>();
  for (const path of ['/version', '/api', '/apis', '/openapi/v2', '/openapi/v3']) {
    documents.set(path, await get(access, path, path.startsWith('/api') ? DISCOVERY : 'application/json'));
  }
  const index = JSON.parse(documents.get('/openapi/v3') ?? '{}') as { paths: Record<string, { serverRelativeURL: string }> };
  for (const [path, entry] of Object.entries(index.paths)) {
    if (!GROUP_VERSION_PATH.test(path) && !COMMON_PATH.test(path)) continue;
    documents.set(`/openapi/v3/${path}`, await get(access, entry.serverRelativeURL, 'application/json'));
    if (GROUP_VERSION_PATH.test(path)) documents.set(`/${path}`, await get(access, `/${path}`, 'application/json'));
  }
  return documents;
}

/** Keeps documents for later runs without a server. */
export async function saveDocuments(documents: ApiDocuments, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const [path, text] of documents) await writeFile(join(directory, `${encodeURIComponent(path)}.json`), text);
}

export async function readSaved(directory: string): Promise<ApiDocuments> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.json')).sort();
  const documents = new Map<string, string>();
  for (const name of names)
    documents.set(decodeURIComponent(name.slice(0, -'.json'.length)), await readFile(join(directory, name), 'utf8'));
  if (!documents.has('/apis')) throw new Error(`${directory} holds no saved API documents: write them with --save first`);
  return documents;
}

export function discoveredGroups(documents: ApiDocuments): readonly DiscoveredGroup[] {
  return ['/api', '/apis'].flatMap((path) =>
    (JSON.parse(documents.get(path) ?? '{"items":[]}') as { items: DiscoveredGroup[] }).items.map((group) => ({
      ...group,
      versions: group.versions.map((version) => ({
        ...version,
        resources: version.resources.map((resource) => withOwnKind(resource, group.metadata.name ?? '', version.version)),
      })),
    })),
  );
}

/** Discovery leaves group and version of a kind empty where they are those of the resource. */
function withOwnKind(resource: DiscoveredResource, group: string, version: string): DiscoveredResource {
  const own = (kind: GroupVersionKind): GroupVersionKind => (kind.version === '' ? { group, version, kind: kind.kind } : kind);
  const subresources = (resource.subresources ?? []).map((subresource) =>
    subresource.responseKind === undefined ? subresource : { ...subresource, responseKind: own(subresource.responseKind) },
  );
  return { ...resource, responseKind: own(resource.responseKind), subresources };
}

/** The named schemas of all group-versions, by their full name. */
export function openApiSchemas(documents: ApiDocuments): ReadonlyMap<string, OpenApiSchema> {
  return schemasOf(documents, (path) => GROUP_VERSION_PATH.test(path));
}

/** As {@link openApiSchemas}, with the types of discovery and of the version. */
export function allOpenApiSchemas(documents: ApiDocuments): ReadonlyMap<string, OpenApiSchema> {
  return schemasOf(documents, () => true);
}

function schemasOf(documents: ApiDocuments, isMeant: (path: string) => boolean): ReadonlyMap<string, OpenApiSchema> {
  const schemas = new Map<string, OpenApiSchema>();
  for (const [path, text] of documents) {
    if (!path.startsWith('/openapi/v3/') || !isMeant(path.slice('/openapi/v3/'.length))) continue;
    const document = JSON.parse(text) as { components?: { schemas?: Record<string, OpenApiSchema> } };
    for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) schemas.set(name, schema);
  }
  return new Map([...schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function get({ url, token, ca, certificate, key }: ServerAccess, path: string, accept: string): Promise<string> {
  const target = new URL(path, url);
  const request = target.protocol === 'http:' ? httpRequest : httpsRequest;
  const headers = { accept, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  return new Promise((resolve, reject) => {
    request(target, { headers, ca, cert: certificate, key }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`GET ${path}: ${response.statusCode} ${body.slice(0, 300)}`));
      });
    })
      .on('error', reject)
      .end();
  });
}
