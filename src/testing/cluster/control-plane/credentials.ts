import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServerCertificates } from '../../../api-server/access/index.js';

/** Files from which an API server knows its users and itself. */
export interface Credentials {
  readonly certificates: ServerCertificates;
  readonly authorityFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly serviceAccountKeyFile: string;
}

const PRIVATE = { mode: 0o600 };

export function writeCredentials(directory: string): Credentials {
  const certificates = new ServerCertificates();
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('authority.crt'), certificates.authority);
  writeFileSync(at('serving.crt'), certificates.serving.certificate);
  writeFileSync(at('serving.key'), certificates.serving.privateKey, PRIVATE);
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // SEC 1: kube-apiserver reads the public half from the same file, and of a PKCS #8 it would not.
  writeFileSync(at('service-accounts.key'), privateKey.export({ type: 'sec1', format: 'pem' }), PRIVATE);
  return {
    certificates,
    authorityFile: at('authority.crt'),
    certificateFile: at('serving.crt'),
    keyFile: at('serving.key'),
    serviceAccountKeyFile: at('service-accounts.key'),
  };
}
