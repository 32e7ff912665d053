import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type CertificateContent, signedCertificate, type Usage } from '../../../../src/kubernetes/certificates/certificate.js';

/** A certificate that another one, or it itself, has signed. */
export interface Link {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

interface Holder extends Link {
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** A root, an intermediate that the root has signed, and a serving certificate for localhost and 127.0.0.1 that the intermediate has signed. */
export interface Chain {
  readonly root: Link;
  readonly intermediate: Link;
  readonly leaf: Link;
}

export function certificateChain(): Chain {
  const root = issued('root of a test', 'authority');
  const intermediate = issued('intermediate of a test', 'authority', root);
  return { root, intermediate, leaf: issued('localhost', 'server', intermediate) };
}

export const base64 = (...links: readonly Link[]): string =>
  Buffer.from(links.map(({ certificate }) => certificate).join('')).toString('base64');

function issued(name: string, usage: Usage, issuer?: Holder): Holder {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const by = issuer ?? { name, privateKey, publicKey };
  const hour = 3_600_000;
  const content: CertificateContent = {
    subject: [['CN', name]],
    issuer: [['CN', by.name]],
    publicKey,
    issuerPublicKey: by.publicKey,
    usage,
    dnsNames: usage === 'server' ? ['localhost'] : [],
    ipAddresses: usage === 'server' ? ['127.0.0.1'] : [],
    notBefore: new Date(Date.now() - hour),
    notAfter: new Date(Date.now() + 24 * hour),
  };
  const der = signedCertificate(content, by.privateKey);
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  const certificate = `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
  return { name, privateKey, publicKey, certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
