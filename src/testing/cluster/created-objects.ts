import { type KindInfo, type KubernetesObject, messageOf, type ObjectKey } from '@keelson/kubernetes/apimachinery';
import { type ApiClient, isConflict, isNotFound, type StoredOf } from '@keelson/runtime/internal/client';
import { TestClusterError } from './errors.js';
import { keyText } from './object-key.js';
import { waitForObject } from './wait/index.js';

interface Created {
  readonly kind: KindInfo;
  readonly key: ObjectKey;
  readonly uid: string;
}

/** The objects that were created through a cluster, so that these can be deleted, and nothing else. */
export class CreatedObjects {
  readonly #created: Created[] = [];

  add(kind: KindInfo, { metadata: { name = '', namespace, uid = '' } }: KubernetesObject): void {
    this.#created.push({ kind, key: namespace === undefined ? { name } : { namespace, name }, uid });
  }

  /**
   * Deletes them, the last ones first, and waits until they are gone. An object of the same name that another client has made since is left alone.
   *
   * @throws TestClusterError naming what is still there
   */
  async deleteAll(client: ApiClient, timeoutMs: number): Promise<void> {
    const remaining: string[] = [];
    const deadline = performance.now() + timeoutMs;
    for (let last = this.#created.pop(); last !== undefined; last = this.#created.pop()) {
      const problem = await deleted(client, last, Math.max(deadline - performance.now(), 1));
      if (problem !== undefined) remaining.push(`  ${last.kind.kind} ${keyText(last.key)}: ${problem}`);
    }
    if (remaining.length > 0) throw new TestClusterError(`objects that the test created are still there:\n${remaining.join('\n')}`);
  }
}

/** @returns why it is still there */
async function deleted(client: ApiClient, { kind, key, uid }: Created, timeoutMs: number): Promise<string | undefined> {
  try {
    await client.delete(kind, key as never, { uid, propagationPolicy: 'Background' });
    const isGone = (object: StoredOf<KindInfo> | undefined): string | undefined =>
      object === undefined || object.metadata.uid !== uid ? undefined : 'it is still there';
    await waitForObject({ client, kind, key: key as never, timeoutMs, judge: isGone });
    return undefined;
  } catch (error) {
    // Conflict: it has another uid, so that ours is gone. NotFound also when its definition is gone.
    if (isNotFound(error) || isConflict(error)) return undefined;
    return messageOf(error);
  }
}
