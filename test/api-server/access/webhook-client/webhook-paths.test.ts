import { WebhookCallError, WebhookClient } from '../../../../src/api-server/access/webhook-client/index.js';
import { webhookPath } from '../../../../src/api-server/access/webhook-client/webhook-path.js';
import { PathServer } from './path-stories.js';

/** Compared with a real server, in both directions, by test/cluster/webhook-paths.cluster.test.ts. */
test.each([
  ['', '/'],
  ['/', '/'],
  ['//', '/'],
  ['//ok', '/ok'],
  ['/ok/', '/ok'],
  ['/a//ok', '/a/ok'],
  ['/a%2Fok', '/a/ok'],
  ['/a%2f%2Fok/', '/a/ok'],
  ['/a/../ok', '/ok'],
  ['/%2e%2e/ok', '/ok'],
  ['/a%20b', '/a%20b'],
  ['/%C3%bc', '/%C3%BC'],
  ['/%FF', '/%FF'],
  ["/!'()*[]", '/%21%27%28%29%2A%5B%5D'],
  ['/$&+,:;=@~-_.', '/$&+,:;=@~-_.'],
  ['/a%3Fb%23c%25', '/a%3Fb%23c%25'],
])('the path %j of a webhook is called as %j', (given, called) => {
  expect(webhookPath(given)).toBe(called);
});

describe('a webhook that redirects', () => {
  const server = new PathServer();
  let client: WebhookClient;
  beforeAll(() => server.listen());
  beforeEach(() => {
    client = new WebhookClient({ resolve: () => ({ host: '127.0.0.1', port: server.port }) });
  });
  afterEach(() => client.close());
  afterAll(() => server.close());

  const call = (path: string): Promise<unknown> =>
    client.call(
      { url: `https://localhost:${server.port}${path}`, caBundle: server.caBundle },
      { request: { uid: '1' } },
      { timeoutSeconds: 9 },
    );

  test.each(['307', '308'])('%s is followed with the review', async (code) => {
    expect(await call(`//to/${code}`)).toMatchObject({ response: { uid: '1', allowed: true } });
    expect(server.take()).toEqual([`POST /to/${code}?timeout=9s with a review`, 'POST /moved with a review']);
  });

  test('a redirect that does not end is followed nine times', async () => {
    await expect(call('/to/itself')).rejects.toThrow('Post "/to/itself?timeout=9s": stopped after 10 redirects');
    expect(server.take()).toHaveLength(10);
  });

  test('one without a place is an answer', async () => {
    await expect(call('/to/none')).rejects.toThrow('the server responded with the status code 307 but did not return more information');
    await expect(call('/to/none')).rejects.toBeInstanceOf(WebhookCallError);
    server.take();
  });
});
