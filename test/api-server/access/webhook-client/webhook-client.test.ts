import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebhookCallError, WebhookClient } from '../../../../src/api-server/access/webhook-client/index.js';
import { servingCertificate } from '../../../cluster/harness/index.js';
import { growth, MEBIBYTE, writeCrumbs } from '../../../kubernetes/listening/crumbs.js';

const { certificate, key } = servingCertificate(['hook.default.svc']);

interface Started {
  readonly server: Server;
  readonly port: number;
}

function start(
  answer: (
    path: string,
  ) => { readonly code?: number; readonly type?: string; readonly body?: string; readonly inSingleBytes?: boolean } | undefined,
): Promise<Started> {
  const server = createServer({ cert: certificate, key }, (request, response) => {
    request.resume();
    const answered = answer(request.url ?? '');
    if (answered === undefined) return;
    const { code = 200, type = 'application/json', body = '{}', inSingleBytes = false } = answered;
    if (inSingleBytes) {
      request.socket.write(`HTTP/1.1 ${code} a\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`);
      return void writeCrumbs(request.socket, body);
    }
    response.writeHead(code, { 'content-type': type });
    response.end(body);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port })));
}

async function failureOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    if (WebhookCallError.isWebhookCallError(error)) return error.message;
    throw error;
  }
  throw new Error('the call succeeded');
}

describe('calls to webhooks', () => {
  const service = { namespace: 'default', name: 'hook', path: '/check' };
  const caBundle = Buffer.from(certificate).toString('base64');

  async function withServer(answer: Parameters<typeof start>[0], use: (client: WebhookClient) => Promise<void>): Promise<void> {
    const { server, port } = await start(answer);
    const client = new WebhookClient({ resolve: () => ({ host: '127.0.0.1', port }) });
    try {
      await use(client);
    } finally {
      client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  test('a service is called by its name, with the time it has', async () => {
    const paths: string[] = [];
    const answer = (path: string): object => {
      paths.push(path);
      return { body: '{"a":1}' };
    };
    await withServer(answer, async (client) => {
      expect(await client.call({ service, caBundle }, {}, { timeoutSeconds: 30 })).toEqual({ a: 1 });
    });
    expect(paths[0]).toBe('/check?timeout=30s');
  });

  test.each([
    [404, 'text/plain', 'nope', 'the server could not find the requested resource'],
    [500, 'text/plain', 'boom', 'an error on the server ("boom") has prevented the request from succeeding'],
    [302, 'text/plain', '', 'the server responded with the status code 302 but did not return more information'],
    [403, 'application/json', '{"kind":"Status","status":"Failure","message":"own words"}', 'own words'],
    [200, 'application/json', 'nonsense', "couldn't get version/kind; json parse error"],
  ])('an answer %d %s', async (code, type, body, text) => {
    await withServer(
      () => ({ code, type, body }),
      async (client) => {
        expect(await failureOf(client.call({ service, caBundle }, {}, { timeoutSeconds: 30 }))).toContain(text);
      },
    );
  });

  test('an answer in single bytes takes memory by its bytes', async () => {
    const text = 'x'.repeat(MEBIBYTE);
    await withServer(
      () => ({ body: JSON.stringify({ text }), inSingleBytes: true }),
      async (client) => {
        const grown = await growth(async () =>
          expect(await client.call({ service, caBundle }, {}, { timeoutSeconds: 110 })).toEqual({ text }),
        );
        // A buffer of each were some 190 MiB.
        expect(grown).toBeLessThan(50);
      },
    );
  });

  test('a certificate of another issuer is refused in Go’s words', async () => {
    const other = Buffer.from(servingCertificate(['x']).certificate).toString('base64');
    await withServer(
      () => ({}),
      async (client) => {
        expect(await failureOf(client.call({ service, caBundle: other }, {}, { timeoutSeconds: 30 }))).toBe(
          'Post "https://hook.default.svc:443/check?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
        );
      },
    );
  });

  test('a certificate for another name is refused', async () => {
    await withServer(
      () => ({}),
      async (client) => {
        const text = await failureOf(client.call({ service: { ...service, name: 'other' }, caBundle }, {}, { timeoutSeconds: 30 }));
        expect(text).toContain('x509:');
      },
    );
  });

  test('who does not answer in time', async () => {
    await withServer(
      () => undefined,
      async (client) => {
        expect(await failureOf(client.call({ service, caBundle }, {}, { timeoutSeconds: 1 }))).toBe(
          'Post "https://hook.default.svc:443/check?timeout=1s": context deadline exceeded',
        );
      },
    );
  });

  test('a service that nobody knows is named, with the way out', async () => {
    const client = new WebhookClient({ resolve: () => undefined });
    expect(await failureOf(client.call({ service }, {}, { timeoutSeconds: 30 }))).toContain(
      'nothing is known to listen for service default/hook at port 443',
    );
    expect(await failureOf(client.call({}, {}, { timeoutSeconds: 30 }))).toBe('webhook configuration must have either service or URL');
  });

  test('nobody listens', async () => {
    const client = new WebhookClient({ resolve: () => ({ host: '127.0.0.1', port: 1 }) });
    expect(await failureOf(client.call({ service, caBundle }, {}, { timeoutSeconds: 30 }))).toBe(
      'Post "https://hook.default.svc:443/check?timeout=30s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });
});
