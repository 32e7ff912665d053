import { groupVersionPath, type KubernetesObject } from '../../../src/kubernetes/apimachinery/index.js';
import type { ApiClient } from './api-client.js';
import { RequestRefused } from './status.js';

interface ApiResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Where the objects of a kind live, asked from the server's own discovery: the answer is the judge's, not ours. */
export class ResourcePaths {
  readonly #client: ApiClient;
  readonly #known = new Map<string, ApiResource>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Path of the collection that the object belongs to. */
  async collectionOf(object: KubernetesObject): Promise<string> {
    const resource = await this.#resourceOf(object);
    const root = groupVersionPath(object.apiVersion);
    if (!resource.namespaced) return `${root}/${resource.name}`;
    return `${root}/namespaces/${object.metadata.namespace ?? 'default'}/${resource.name}`;
  }

  async pathOf(object: KubernetesObject): Promise<string> {
    if (object.metadata.name === undefined) throw new Error(`${object.kind} has no name`);
    return `${await this.collectionOf(object)}/${object.metadata.name}`;
  }

  async #resourceOf({ apiVersion, kind }: KubernetesObject): Promise<ApiResource> {
    const key = `${apiVersion} ${kind}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { status, body } = await this.#client.request<{ resources: ApiResource[] }>('GET', groupVersionPath(apiVersion));
    if (status !== 200) throw new RequestRefused(`discovery of ${apiVersion}`, status, body);
    // A subresource is listed under the same kind as `name/status`.
    const found = body.resources.find((resource) => resource.kind === kind && !resource.name.includes('/'));
    if (found === undefined) throw new Error(`the server does not serve ${kind} in ${apiVersion}`);
    this.#known.set(key, found);
    return found;
  }
}
