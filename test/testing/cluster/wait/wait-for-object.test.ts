import { type InProcessCluster, TestCluster } from '@keelson/testing';
import type { KindInfo } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { ApiClient, createClient, type ObjectList, type PageOptions, type StoredOf } from '../../../../src/runtime/client/index.js';
import { judge, waitForObject } from '../../../../src/testing/cluster/wait/index.js';

let cluster: InProcessCluster;
beforeAll(async () => {
  cluster = await TestCluster.start();
  await cluster.create(ConfigMap({ metadata: { name: 'a' }, data: { size: '1' } }));
});
afterAll(() => cluster.close());

/** A client whose first lists end without an answer, when the caller gives them up. */
class LateClient extends ApiClient {
  unanswered = 1;

  override async list<const TKind extends KindInfo>(kind: TKind, options?: PageOptions<TKind>): Promise<ObjectList<StoredOf<TKind>>> {
    if (this.unanswered === 0) return super.list(kind, options);
    this.unanswered -= 1;
    return new Promise((_, reject) =>
      options?.signal?.addEventListener('abort', ({ target }) => reject((target as AbortSignal).reason as Error)),
    );
  }
}

async function wait(size: string, { kind = ConfigMap as KindInfo, unanswered = 1 } = {}) {
  const client = new LateClient({ transport: createClient({ connection: cluster.connection }).transport });
  client.unanswered = unanswered;
  try {
    const condition = { data: { size } };
    return await waitForObject({
      client,
      kind,
      key: { namespace: 'default', name: 'a' },
      judge: (object) => judge<object>(condition, object),
      timeoutMs: 1,
    });
  } finally {
    client.transport.close();
  }
}

test('a wait whose time is over before its first look is answered looks once more: it finds what is there', async () => {
  expect(await wait('1')).toMatchObject({ data: { size: '1' } });
});

test('and it says where that differs', async () => {
  await expect(wait('2')).rejects.toThrow(
    /^ConfigMap default\/a did not come to the awaited state within 1 ms: it differs:\n {2}data\.size: is "1", awaited "2"\n/,
  );
});

test('and it says why the server refuses the look', async () => {
  const kind: KindInfo = {
    group: 'absent.example.com',
    version: 'v1',
    kind: 'Thing',
    plural: 'things',
    scope: 'Namespaced',
    subresources: [],
  };
  await expect(wait('1', { kind })).rejects.toThrow(
    /^Thing default\/a .* within 1 ms: it could not be looked at: GET .*: 404 NotFound: .* does not serve this resource.*$/,
  );
});

test('a server that never answers does not keep a wait', async () => {
  await expect(wait('1', { unanswered: Number.POSITIVE_INFINITY })).rejects.toThrow(
    /^ConfigMap default\/a did not come to the awaited state within 1 ms: the server has not answered$/,
  );
});
