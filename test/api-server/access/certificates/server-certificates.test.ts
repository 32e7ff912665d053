import { X509Certificate } from 'node:crypto';
import { clientIdentity, ServerCertificates } from '../../../../src/api-server/access/certificates/index.js';

const certificates = new ServerCertificates({ dnsNames: ['host.docker.internal'], ipAddresses: ['172.17.0.1'] });

test('a server is reachable under its own names and those that were asked for', () => {
  const serving = new X509Certificate(certificates.serving.certificate);
  for (const name of ['localhost', 'kubernetes.default.svc', 'host.docker.internal']) expect(serving.checkHost(name)).toBe(name);
  for (const address of ['127.0.0.1', '::1', '10.0.0.1', '172.17.0.1']) expect(serving.checkIP(address)).toBe(address);
  expect(serving.checkIssued(new X509Certificate(certificates.authority))).toBe(true);
});

test('a client certificate says who its holder is', () => {
  const { certificate } = certificates.issueClient({ username: 'jane', groups: ['dev', 'system:masters'], uid: 'u-1' });
  expect(clientIdentity(new X509Certificate(certificate))).toEqual({
    commonName: 'jane',
    organizations: ['dev', 'system:masters'],
    uids: ['u-1'],
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(clientIdentity(new X509Certificate(certificates.issueClient({ username: 'joe' }).certificate).raw)).toMatchObject({
    commonName: 'joe',
    organizations: [],
    uids: [],
  });
});
