import { X509Certificate } from 'node:crypto';
import { connect, createServer, type PeerCertificate, type TLSSocket } from 'node:tls';
import { CertificateAuthority, CertificateError, type KeyPair } from '../../../src/kubernetes/certificates/index.js';

const authority = CertificateAuthority.create({ commonName: 'an authority' });

/** What a server learns of a client, over a real handshake in which both sides check. */
async function handshake(serving: KeyPair, client?: KeyPair, host = 'localhost'): Promise<{ trusted: boolean; peer: PeerCertificate }> {
  const server = createServer({
    key: serving.privateKey,
    cert: serving.certificate,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const accepted = new Promise<TLSSocket>((resolve) => server.once('secureConnection', resolve));
  const credentials = client === undefined ? {} : { key: client.privateKey, cert: client.certificate };
  const socket = connect({ port, host: '127.0.0.1', servername: host, ca: authority.certificate, ...credentials });
  try {
    await new Promise<void>((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    const peer = await accepted;
    return { trusted: peer.authorized, peer: peer.getPeerCertificate() };
  } finally {
    socket.destroy();
    server.close();
  }
}

test('a serving certificate is good for each of its names and for no other', () => {
  const dnsNames = ['localhost', '*.example.com'];
  const ipAddresses = ['127.0.0.1', '::1', '2001:db8::8:800:200c:417a', '::ffff:10.1.2.3'];
  const certificate = new X509Certificate(authority.issueServing({ dnsNames, ipAddresses }).certificate);
  expect(['localhost', 'a.example.com', 'example.org'].map((name) => certificate.checkHost(name))).toEqual([
    'localhost',
    '*.example.com',
    undefined,
  ]);
  expect(ipAddresses.map((address) => certificate.checkIP(address))).toEqual(ipAddresses);
  expect(certificate.checkIP('127.0.0.2')).toBeUndefined();
  expect(certificate.ca).toBe(false);
});

test('what is issued chains up to its authority, and to no other of the same name', () => {
  const issued = new X509Certificate(authority.issueServing({ dnsNames: ['a'] }).certificate);
  const own = new X509Certificate(authority.certificate);
  const stranger = new X509Certificate(CertificateAuthority.create({ commonName: 'an authority' }).certificate);
  expect([issued.checkIssued(own), issued.verify(own.publicKey)]).toEqual([true, true]);
  expect([issued.checkIssued(stranger), issued.verify(stranger.publicKey)]).toEqual([false, false]);
  expect(own.ca).toBe(true);
});

test('client and server trust each other over TLS', async () => {
  const client = authority.issueClient({
    subject: [
      ['O', 'one'],
      ['O', 'zwei ü'],
      ['CN', `system:serviceaccount:${'n'.repeat(200)}`],
    ],
  });
  const { trusted, peer } = await handshake(authority.issueServing({ dnsNames: ['localhost'] }), client);
  expect(trusted).toBe(true);
  expect(peer.subject).toEqual({ O: ['one', 'zwei ü'], CN: `system:serviceaccount:${'n'.repeat(200)}` });
});

test('a client may have an RSA key, in the form that kubeadm writes', async () => {
  const client = authority.issueClient({ subject: [['CN', 'ann']], keyType: 'rsa' });
  expect(client.privateKey).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  const { trusted, peer } = await handshake(authority.issueServing({ dnsNames: ['localhost'] }), client);
  expect(trusted).toBe(true);
  expect(peer.subject).toEqual({ CN: 'ann' });
});

test('a serving certificate is not a client certificate', async () => {
  const serving = authority.issueServing({ dnsNames: ['localhost'] });
  expect((await handshake(serving, serving)).trusted).toBe(false);
});

test('a serving certificate is a client certificate too, for servers that call each other', async () => {
  const member = authority.issueServing({ dnsNames: ['localhost'], isAlsoClient: true });
  expect((await handshake(member, member)).trusted).toBe(true);
  expect(new X509Certificate(member.certificate).keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
});

test('a client refuses a name that the certificate does not have', async () => {
  await expect(handshake(authority.issueServing({ dnsNames: ['other'] }))).rejects.toThrow(/Hostname\/IP does not match/);
});

test('validity is what was asked for, on both sides of 2050', () => {
  const notBefore = new Date('2049-12-31T23:59:59Z');
  const notAfter = new Date('2050-01-01T00:00:01Z');
  const certificate = new X509Certificate(authority.issueServing({ dnsNames: ['a'], notBefore, notAfter }).certificate);
  expect([new Date(certificate.validFrom), new Date(certificate.validTo)]).toEqual([notBefore, notAfter]);
});

test('an authority goes on after a restart', () => {
  const again = CertificateAuthority.load(authority.toKeyPair());
  const issued = new X509Certificate(again.issueServing({ dnsNames: ['a'] }).certificate);
  expect(issued.checkIssued(new X509Certificate(authority.certificate))).toBe(true);
});

test('no authority is taken up that could not sign what clients accept', () => {
  const other = CertificateAuthority.create({ commonName: 'other' }).toKeyPair();
  const leaf = authority.issueServing({ dnsNames: ['a'] });
  expect(() => CertificateAuthority.load({ ...authority.toKeyPair(), privateKey: other.privateKey })).toThrow(/does not belong/);
  expect(() => CertificateAuthority.load(leaf)).toThrow(/not an authority's/);
  expect(() => CertificateAuthority.load({ ...other, certificate: 'nonsense' })).toThrow(CertificateError);
});

test.each([
  [{ ipAddresses: ['300.1.1.1'] }, /not an IP address/],
  [{ ipAddresses: ['fe80::1%eth0'] }, /zone/],
  [{ dnsNames: ['bücher.example'] }, /xn--/],
  [{ dnsNames: ['a b'] }, /not a host name/],
  [{}, /no client would take it/],
  [{ dnsNames: ['a'], notBefore: new Date(2), notAfter: new Date(1) }, /not later/],
])('names and dates that no certificate can carry are refused: %j', (options, message) => {
  expect(() => authority.issueServing(options)).toThrow(message);
});

test('serial numbers differ and are positive', () => {
  const serials = Array.from(
    { length: 50 },
    () => new X509Certificate(authority.issueServing({ dnsNames: ['a'] }).certificate).serialNumber,
  );
  expect(new Set(serials).size).toBe(50);
  expect(serials.every((serial) => /^[4-7]/.test(serial) && serial.length === 32)).toBe(true);
});
