import type { Construct } from 'constructs';
import { ConstructError } from '../object/index.js';

const PEM = /^\s*-----BEGIN (TRUSTED )?CERTIFICATE-----/;

/** Encodes once: a bundle that is base64 already is taken as it is (H60: encoded twice, every call fails). */
export function base64Pem(scope: Construct, bundle: string, setting: string): string {
  if (PEM.test(bundle)) return Buffer.from(bundle, 'utf8').toString('base64');
  const compact = bundle.replace(/\s+/g, '');
  if (/^[A-Za-z0-9+/]+=*$/.test(compact) && PEM.test(Buffer.from(compact, 'base64').toString('utf8'))) return compact;
  throw new ConstructError(scope, `${setting} is neither a PEM certificate nor base64 of one; pass the text of ca.crt`);
}
