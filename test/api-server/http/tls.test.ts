import { Agent, request } from 'node:https';
import { ServerCertificates } from '../../../src/api-server/access/certificates/index.js';
import type { RequestFacts } from '../../../src/api-server/http/index.js';
import { TestServer } from './harness.js';

const certificates = new ServerCertificates();
const strangers = new ServerCertificates();

let server: TestServer;
let facts: RequestFacts[];
beforeEach(async () => {
  facts = [];
  server = new TestServer({
    gatekeeper: {
      authenticate: (given) => {
        facts.push(given);
        return { username: 'x', groups: [] };
      },
      authorize: () => undefined,
    },
  });
  server.address = await server.server.listen({
    tls: { certificate: certificates.serving.certificate, key: certificates.serving.privateKey, clientAuthorities: certificates.authority },
  });
});
afterEach(() => server.close());

function get(agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${server.address.url}/api/v1/configmaps`, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}

test('a client without a certificate is let in, to be judged by authentication', async () => {
  const agent = new Agent({ ca: certificates.authority });
  expect(await get(agent)).toBe(200);
  expect(facts[0]?.clientCertificate).toBeUndefined();
});

test('a certificate is handed on, and whether it is trusted; also when the TLS session goes on', async () => {
  const { certificate, privateKey } = certificates.issueClient({ username: 'alice' });
  const agent = new Agent({ ca: certificates.authority, cert: certificate, key: privateKey });
  for (let round = 0; round < 3; round += 1) expect(await get(agent)).toBe(200);
  for (const { clientCertificate } of facts) {
    expect(Buffer.from(clientCertificate?.raw ?? []).toString('latin1')).toContain('alice');
    expect(clientCertificate).not.toHaveProperty('problem');
  }
  expect(facts).toHaveLength(3);
});

test('a certificate of another authority is handed on with what is wrong with it', async () => {
  const { certificate, privateKey } = strangers.issueClient({ username: 'mallory' });
  expect(await get(new Agent({ ca: certificates.authority, cert: certificate, key: privateKey }))).toBe(200);
  expect(facts[0]?.clientCertificate?.problem).toMatch(/^[A-Z_]+$/);
});
