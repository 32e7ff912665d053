import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { WebhookClient } from '../../../../src/api-server/access/webhook-client/index.js';
import { base64, certificateChain } from './chain.js';

const { root, intermediate, leaf } = certificateChain();
const other = certificateChain();
let client: WebhookClient;
let servers: Server[];
beforeEach(() => {
  servers = [];
  client = new WebhookClient({ resolve: () => undefined });
});
afterEach(async () => {
  client.close();
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** @param cert what the webhook shows, PEM */
async function answerOf(cert: string, caBundle: string): Promise<string> {
  const server = createServer({ cert, key: leaf.key }, (request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end('{"reached":true}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    return JSON.stringify(await client.call({ url, caBundle }, {}, { timeoutSeconds: 30 }));
  } catch (error) {
    return (error as Error).message;
  }
}

const chain = leaf.certificate + intermediate.certificate;
const REACHED = '{"reached":true}';
const REFUSED = expect.stringContaining('tls: failed to verify certificate: x509: certificate signed by unknown authority');

/** As a kube-apiserver has it: the suite of a cluster compares. */
test.each([
  ['the root, with the chain served', chain, base64(root), REACHED],
  ['the root, without the chain', leaf.certificate, base64(root), REFUSED],
  ['the root and the intermediate', leaf.certificate, base64(root, intermediate), REACHED],
  ['the intermediate', leaf.certificate, base64(intermediate), REACHED],
  ['the serving certificate itself', leaf.certificate, base64(leaf), REACHED],
  ['the root of another', chain, base64(other.root), REFUSED],
  ['the serving certificate of another', leaf.certificate, base64(other.leaf), REFUSED],
])('a bundle of %s', async (_, served, bundle, answer) => {
  expect(await answerOf(served, bundle)).toEqual(answer);
});
