import { apiVersionOf, type KindInfo } from '@keelson/kubernetes/apimachinery';
import type { ApiClient } from '@keelson/runtime/internal/client';

/** The server's descriptions of kinds, for objects that come without one. Asked once for each kind. */
export class KindCache {
  readonly #client: ApiClient;
  readonly #known = new Map<string, KindInfo>();

  constructor(client: ApiClient) {
    this.#client = client;
  }

  add(kind: KindInfo): void {
    this.#known.set(`${apiVersionOf(kind)} ${kind.kind}`, kind);
  }

  /** @throws NotFoundError and RequestError when the server does not serve it */
  async of({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): Promise<KindInfo> {
    const known = this.#known.get(`${apiVersion} ${kind}`);
    if (known !== undefined) return known;
    const found = await this.#client.discover({ apiVersion, kind });
    this.add(found);
    return found;
  }
}
