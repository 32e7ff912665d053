import { z } from 'zod';
import type { OperatorProps } from '../../constructs/index.js';

/** Where the TLS certificate comes from. */
export interface CertificateValues {
  readonly mode: 'selfManaged' | 'certManager' | 'secret';
  readonly issuer: { readonly name: string; readonly kind: 'Issuer' | 'ClusterIssuer' };
  readonly secret: { readonly name: string; readonly caBundle: string };
}

/** Any text that constructs take for a PEM bundle in base64. */
const CA_EXAMPLES = ['first', 'second'].map((text) => btoa(`-----BEGIN CERTIFICATE-----\n${text}`).replace(/=+$/, ''));

/** The values that say where the TLS certificate comes from. */
export function certificateValues(): { readonly certificates: z.ZodType } {
  return {
    certificates: z.object({
      mode: z
        .enum(['selfManaged', 'certManager', 'secret'])
        .default('selfManaged')
        .describe('Origin of the TLS certificate: the operator itself, cert-manager, or a Secret of yours.'),
      issuer: z.object({
        name: z.string().default('').describe('With certManager: an issuer that exists. Default: a CA of the release.'),
        kind: z.enum(['Issuer', 'ClusterIssuer']).default('Issuer').describe('Kind of that issuer.'),
      }),
      secret: z.object({
        name: z.string().default('').describe('With secret: name of the Secret.'),
        caBundle: z.string().default('').meta({ examples: CA_EXAMPLES }).describe('With secret: the CA that signed it, base64 of PEM.'),
      }),
    }),
  };
}

/** The certificates of the `Operator` from those values. */
export function certificatesFrom({ mode, issuer, secret }: CertificateValues): NonNullable<OperatorProps['certificates']> {
  if (mode === 'selfManaged') return mode;
  if (mode === 'secret') return { secret };
  return { certManager: issuer.name === '' ? {} : { issuer } };
}
