import { generateKeyPairSync } from 'node:crypto';

/** PEM of a key for the tokens of ServiceAccounts. SEC 1: kube-apiserver reads the public half from the same file, and of a PKCS #8 it would not. */
export function serviceAccountTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }).toString();
}
