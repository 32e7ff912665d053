import { ApiServer } from '../../src/api-server/index.js';
import { type Ask, PATHS, PathServer, playPaths } from '../api-server/access/webhook-client/path-stories.js';
import { describeCluster } from './harness/index.js';

describeCluster('webhooks at paths of every form', (cluster) => {
  test('the in-process server calls the paths that a real one calls, follows redirects as it does, and gives its messages', async () => {
    const webhooks = new PathServer();
    await webhooks.listen();
    const server = await ApiServer.start({ protocol: 'http' });
    const ours: Ask = async (method, path, body, query = {}) => {
      const headers = { authorization: `Bearer ${server.tokenFor()}`, 'content-type': 'application/json' };
      const answer = await fetch(`${server.url}${path}?${new URLSearchParams(query).toString()}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as object };
    };
    const theirs: Ask = async (method, path, body, query = {}) => {
      const { status, body: answered } = await cluster.request<object>(method as 'POST', path, body, { query });
      return { status, body: answered };
    };
    try {
      const real = await playPaths(theirs, webhooks);
      expect(Object.keys(real)).toHaveLength(PATHS.length);
      expect(await playPaths(ours, webhooks)).toEqual(real);
    } finally {
      await server.close();
      await webhooks.close();
    }
  });
});
