import type { Kind, NamedMeta } from '../../../src/kubernetes/apimachinery/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import { type ApiClient, mergePatch } from '../../../src/runtime/client/index.js';
import { StatusWriter } from '../../../src/runtime/status/index.js';
import { FakeInformer } from '../children/fake-informer.js';
import { MemoryLog } from '../harness/running-controller.js';

export interface Sized {
  readonly apiVersion: string;
  readonly kind: string;
  metadata: NamedMeta;
  spec?: { size?: number | undefined } | undefined;
  status?: { ready?: number | undefined } | undefined;
}

export interface OldKnowledgeServer {
  readonly client: ApiClient;
  /** A custom resource with a status subresource. */
  readonly kind: Kind<Sized, 'Namespaced'>;
  readonly namespace: string;
}

/** Tests of a status that is written by a process that does not know yet what became of its object; the same for each API server. */
export function testsOfOldKnowledge(server: () => OldKnowledgeServer): void {
  const { signal } = new AbortController();
  const writer = () => {
    const { client, kind } = server();
    const log = new MemoryLog();
    return new StatusWriter({ client, log, kind, informer: new FakeInformer(kind), fieldManager: 'test/old-knowledge' });
  };
  const made = (name: string): Promise<StoredObject> => {
    const { client, kind, namespace } = server();
    return client.create(kind, kind({ metadata: { name, namespace }, spec: { size: 1 } })) as Promise<never>;
  };
  const live = (name: string) => server().client.get(server().kind, { name, namespace: server().namespace });

  test.each([
    ['applied', undefined],
    ['merged', []],
  ])('H46: a status that is %s does not land on the successor of its object, which no cache knows yet', async (how, unfit) => {
    const { client, kind, namespace } = server();
    const name = `successor-${how}`;
    const first = await made(name);
    await client.delete(kind, { name, namespace });
    const second = await made(name);
    expect(await writer().write(first, { ready: 1 }, signal, { unfit })).toBe(false);
    expect(await live(name)).toEqual(second);
  });

  test('H46: an object that is gone gets no status, and is not made again', async () => {
    const { client, kind, namespace } = server();
    const first = await made('gone');
    await client.delete(kind, { name: 'gone', namespace });
    expect(await writer().write(first, { ready: 1 }, signal)).toBe(false);
    await expect(live('gone')).rejects.toThrow('not found');
  });

  test.each([
    ['applied', undefined],
    ['merged', []],
  ])('a status is %s although somebody has changed the object since', async (how, unfit) => {
    const { client, kind, namespace } = server();
    const name = `edited-${how}`;
    const first = await made(name);
    await client.patch(kind, { name, namespace }, mergePatch({ spec: { size: 5 } }) as never);
    expect(await writer().write(first, { ready: 1 }, signal, { unfit })).toBe(true);
    expect(await live(name)).toMatchObject({ spec: { size: 5 }, status: { ready: 1 } });
  });
}
