import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServerCertificates } from '@keelson/api-server/internal/access';
import type { CertificateAuthority } from '@keelson/kubernetes/certificates';
import { serviceAccountTokenKey } from './token-key.js';

/** Files from which an API server knows its users and itself. */
export interface Credentials {
  readonly certificates: ServerCertificates;
  readonly authorityFile: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly serviceAccountKeyFile: string;
}

const PRIVATE = { mode: 0o600 };

/** @param authority default: a new one */
export function writeCredentials(directory: string, authority?: CertificateAuthority): Credentials {
  const certificates = new ServerCertificates(authority && { authority });
  const at = (name: string): string => join(directory, name);
  writeFileSync(at('authority.crt'), certificates.authority);
  writeFileSync(at('serving.crt'), certificates.serving.certificate);
  writeFileSync(at('serving.key'), certificates.serving.privateKey, PRIVATE);
  writeFileSync(at('service-accounts.key'), serviceAccountTokenKey(), PRIVATE);
  return {
    certificates,
    authorityFile: at('authority.crt'),
    certificateFile: at('serving.crt'),
    keyFile: at('serving.key'),
    serviceAccountKeyFile: at('service-accounts.key'),
  };
}
