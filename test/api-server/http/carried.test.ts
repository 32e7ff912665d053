import { type InProcessCluster, TestCluster } from '@keelson/testing';
import { ConfigMap } from 'keelson/kinds';
import type { CarriedHead, CarriedRequest } from '../../../src/api-server/http/index.js';

interface Heard {
  head: CarriedHead | undefined;
  text: string;
  end: 'complete' | 'cut' | undefined;
}

/** Requests to a server in this process, with and without a socket. */
describe('carried requests', () => {
  let cluster: InProcessCluster;
  let authorization: string;

  beforeEach(async () => {
    cluster = await TestCluster.start({ protocol: 'http' });
    authorization = `Bearer ${cluster.server.tokenFor({ username: 'carrier', groups: ['system:masters'] })}`;
  });
  afterEach(() => cluster.close());

  function carry(request: Partial<CarriedRequest>): { heard: Heard; over: Promise<Heard>; abandon: () => void } {
    const heard: Heard = { head: undefined, text: '', end: undefined };
    let abandon = (): void => undefined;
    const over = new Promise<Heard>((resolve) => {
      const ends = (end: 'complete' | 'cut') => () => resolve(Object.assign(heard, { end }));
      const connection = cluster.server.carry(
        { method: 'GET', path: '/version', ...request, headers: { authorization, accept: 'application/json', ...request.headers } },
        {
          head: (head) => (heard.head = head),
          data: (chunk) => (heard.text += chunk.toString()),
          end: ends('complete'),
          cut: ends('cut'),
        },
      );
      abandon = () => connection.abandon();
    });
    return { heard, over, abandon };
  }

  const json = (body: object) => ({ body: Buffer.from(JSON.stringify(body)), headers: { 'content-type': 'application/json' } });
  const PATH = '/api/v1/namespaces/default/configmaps';
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  test.each(['/version', '/api/v1/namespaces/default', '/api/v1/namespaces/gone', '/nowhere', '/api/v1/pods?limit=x', '/apis?pretty=1'])(
    '%s is answered as over a socket',
    async (path) => {
      const { head, text } = await carry({ path }).over;
      const answer = await fetch(cluster.server.url + path, {
        headers: { authorization, accept: 'application/json', 'accept-encoding': 'identity' },
      });
      expect(text).toBe(await answer.text());
      expect(head?.statusCode).toBe(answer.status);
      const { date: _, 'audit-id': __, connection: ___, 'keep-alive': ____, ...headers } = Object.fromEntries(answer.headers);
      expect(head?.headers).toMatchObject(headers);
    },
  );

  test('nobody is let in who is nobody, and impersonation counts', async () => {
    expect((await carry({ headers: { authorization: 'Bearer wrong' } }).over).head?.statusCode).toBe(401);
    const asked = { path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', method: 'POST' };
    const review = json({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const headers = { ...review.headers, 'impersonate-user': 'ann', 'impersonate-group': ['a', 'b'] };
    const { text } = await carry({ ...asked, ...review, headers }).over;
    expect(JSON.parse(text)).toMatchObject({ status: { userInfo: { username: 'ann', groups: ['a', 'b', 'system:authenticated'] } } });
  });

  test('what is written is there, and a watch tells of it until it is left', async () => {
    const watch = carry({ path: `${PATH}?watch=1&allowWatchBookmarks=false` });
    await turns();
    expect(watch.heard.head?.statusCode).toBe(200);
    const { head } = await carry({ path: PATH, method: 'POST', ...json({ metadata: { name: 'a' }, data: { text: 'grün' } }) }).over;
    expect(head?.statusCode).toBe(201);
    await turns();
    expect(watch.heard.text).toContain('grün');
    expect(cluster.server.isQuiet).toBe(true);
    watch.abandon();
    await cluster.client.delete(ConfigMap, { namespace: 'default', name: 'a' });
    await turns();
    expect(watch.heard.text).not.toContain('DELETED');
    expect(watch.heard.end).toBeUndefined();
    expect(cluster.server.isQuiet).toBe(true);
  });

  test('an answer that is lost is a connection that breaks: before or after the work is done', async () => {
    const create = (name: string) => carry({ path: PATH, method: 'POST', ...json({ metadata: { name } }) }).over;
    cluster.faults.drop({ when: 'before', verb: 'create' });
    expect(await create('before')).toMatchObject({ head: undefined, end: 'cut' });
    cluster.faults.drop({ when: 'after', verb: 'create' });
    expect(await create('after')).toMatchObject({ head: undefined, end: 'cut' });
    const { items } = await cluster.client.list(ConfigMap, { namespace: 'default' });
    expect(items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')).toEqual(['after']);
  });

  test('a server that closes ends watches, and takes nothing any more', async () => {
    const watch = carry({ path: `${PATH}?watch=1` });
    await turns();
    await cluster.close();
    expect((await watch.over).end).toBe('complete');
    expect((await carry({}).over).end).toBe('cut');
  });
});
