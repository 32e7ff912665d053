import { CERTIFICATE, EC_REQUEST, ED25519_REQUEST, pemField, RSA_REQUEST, tampered } from '../stories/certificates.js';
import { clusterWide, type Fields, type Step, type Story, story } from '../stories/story.js';

const requests = clusterWide('certificates.k8s.io/v1', 'CertificateSigningRequest', 'certificatesigningrequests');
const CSR = 'CERTIFICATE REQUEST';
const request = (fields: Fields = {}): Fields => ({
  spec: { request: pemField(CSR, EC_REQUEST), signerName: 'example.com/signer', usages: ['client auth'], ...fields },
});

const conditions = (of: string, ...list: readonly Fields[]): Step => ({ of, patch: { status: { conditions: list } } });
const approved = { type: 'Approved', status: 'True', reason: 'R', message: 'm' };
const denied = { type: 'Denied', status: 'True' };
const ready = { type: 'Ready', status: 'False' };
const certificate = (text: string): Step => ({ of: 'status', patch: { status: { certificate: text } } });
const encoded = (text: string): string => Buffer.from(text).toString('base64');

export const certificatesStories: readonly Story[] = [
  story(
    requests,
    'plain',
    request({ username: 'somebody', groups: ['else'], uid: 'u', extra: { a: ['b'] }, expirationSeconds: 600 }),
    { patch: { spec: { signerName: 'example.com/other' }, metadata: { labels: { a: 'b' } } } },
    conditions('status', approved),
    conditions('approval', { ...approved, status: 'False' }),
    conditions('approval', approved),
    conditions('approval', approved, approved),
    conditions('approval', approved, denied),
    conditions('approval', ready),
    conditions('approval', { ...approved, message: 'other', lastUpdateTime: '2026-01-01T00:00:00Z' }, ready),
    conditions('status', approved, { ...ready, status: 'Perhaps' }),
    conditions('status', { ...approved, message: 'changed' }, { ...ready, status: 'True' }, { type: '', status: '' }),
    conditions('status', { ...approved, message: 'changed' }, { ...ready, status: 'True' }),
    { of: 'approval', patch: { status: { certificate: pemField('CERTIFICATE', CERTIFICATE) } } },
    certificate(encoded('no certificate')),
    certificate(pemField(CSR, EC_REQUEST)),
    certificate(pemField('CERTIFICATE', CERTIFICATE)),
    certificate(encoded(`\n${Buffer.from(pemField('CERTIFICATE', CERTIFICATE), 'base64').toString()}`)),
    { get: 'approval' },
    { delete: {} },
  ),
  story(requests, 'of any name', { metadata: { name: 'A b:c*' }, ...request({ request: pemField(CSR, ED25519_REQUEST) }) }),
  story(requests, 'of rsa', request({ request: pemField(CSR, RSA_REQUEST) })),
  ...Object.entries({
    ec: tampered(EC_REQUEST),
    ed25519: tampered(ED25519_REQUEST),
    rsa: tampered(RSA_REQUEST),
  }).map(([name, body]) => story(requests, `forged ${name}`, request({ request: pemField(CSR, body) }))),
  story(requests, 'empty', {}),
  story(requests, 'of another thing', request({ request: pemField('CERTIFICATE', CERTIFICATE) })),
  story(
    requests,
    'bad',
    request({ request: encoded('x'), usages: ['client auth', 'client auth', 'signing', 'x'], signerName: 'a/b/c', expirationSeconds: 599 }),
  ),
  ...['kubernetes.io/legacy-unknown', '/', 'A_b/C d', 'example/x', 'a.b/c..d', `${'a'.repeat(254)}.b/c`].map((signerName, index) =>
    story(requests, `signer ${index}`, request({ signerName, usages: [] })),
  ),
  story(requests, 'denied', request(), conditions('approval', denied), conditions('approval', denied, approved)),
];
