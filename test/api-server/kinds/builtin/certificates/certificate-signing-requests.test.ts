import { EC_REQUEST, ED25519_REQUEST, pemField, RSA_REQUEST, tampered } from '../stories/certificates.js';
import type { Fields } from '../stories/story.js';
import { created, messageOf, StoryServer, type Told } from '../stories/story-server.js';

describe('certificate signing requests', () => {
  const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
  const request = (body: string): Fields => ({
    spec: { request: pemField('CERTIFICATE REQUEST', body), signerName: 'a.b/c', usages: ['client auth'], username: 'somebody else' },
  });

  test.each([
    ['ECDSA', EC_REQUEST, 'x509: ECDSA verification failure'],
    ['Ed25519', ED25519_REQUEST, 'x509: Ed25519 verification failure'],
    ['RSA', RSA_REQUEST, 'crypto/rsa: verification error'],
  ])('are signed with the key that they ask for, and speak for who sent them: %s', async (_, body, problem) => {
    expect(await created(path, request(body))).toMatchObject({ status: 201, body: { spec: { username: 'admin' }, status: {} } });
    expect(messageOf(await created(path, request(tampered(body))))).toMatch(new RegExp(`: ${problem}$`));
  });

  test('what is cut off or lengthened is malformed, whatever was inside', async () => {
    for (const bytes of [
      Buffer.from(EC_REQUEST, 'base64').subarray(0, 50),
      Buffer.concat([Buffer.from(EC_REQUEST, 'base64'), Buffer.of(5, 0)]),
      Buffer.of(0x30, 0x84),
    ]) {
      expect(messageOf(await created(path, request(bytes.toString('base64'))))).toMatch(/malformed certificate request$/);
    }
  });

  test('only the subresource approves, and nobody takes it back', async () => {
    const server = new StoryServer();
    const approved = { status: { conditions: [{ type: 'Approved', status: 'True' }] } };
    const write = (of: string, body: Fields): Promise<Told> => server.ask({ method: 'PATCH', path: `${path}/a${of}`, body });
    await server.must({ method: 'POST', path, body: { metadata: { name: 'a' }, ...request(EC_REQUEST) } });
    expect(messageOf(await write('/status', approved))).toContain('updates may not add a condition of type "Approved"');
    expect((await write('', approved)).body).toMatchObject({ status: {} });
    expect(await write('/approval', approved)).toMatchObject({ status: 200, body: approved });
    expect(messageOf(await write('/approval', { status: { conditions: [] } }))).toContain('updates may not remove a condition');
  });
});
