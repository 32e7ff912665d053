import type { SigningKey } from './signing-key.js';

/** The claims of a token. Times are in seconds. */
export interface Claims {
  readonly iss?: string;
  readonly sub?: string;
  readonly aud?: readonly string[];
  readonly exp?: number;
  readonly iat?: number;
  readonly nbf?: number;
  readonly jti?: string;
  readonly 'kubernetes.io'?: PrivateClaims;
}

/** Which object a token belongs to. */
export interface ObjectClaim {
  readonly name?: string;
  readonly uid?: string;
}

export interface PrivateClaims {
  readonly namespace?: string;
  readonly serviceaccount?: ObjectClaim;
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: ObjectClaim;
  readonly warnafter?: number;
}

/** A token taken apart. Nothing in it is to be believed until the signature is checked. */
export interface UncheckedToken {
  readonly keyId: string;
  readonly algorithm: string;
  readonly claims: Claims;
  readonly signed: string;
  readonly signature: Buffer;
}

export function signToken(claims: Claims, key: SigningKey): string {
  const signed = `${encodedJson({ alg: key.algorithm, kid: key.id })}.${encodedJson(sorted(claims))}`;
  return `${signed}.${key.sign(signed).toString('base64url')}`;
}

/** Undefined for what is not a signed token in compact form. */
export function parseToken(token: string): UncheckedToken | undefined {
  const [header = '', payload = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || signature === '') return undefined;
  const fields = decodedJson(header);
  const claims = decodedJson(payload);
  if (fields === undefined || claims === undefined || !isBase64Url(signature)) return undefined;
  const { aud } = claims;
  return {
    keyId: text(fields['kid']),
    algorithm: text(fields['alg']),
    // A single audience may stand without a list.
    claims: { ...claims, ...(typeof aud === 'string' ? { aud: [aud] } : {}) },
    signed: `${header}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** The first claim of a wrong type, if any: every holder of the key may sign anything. */
export function claimsProblem(claims: Claims): string | undefined {
  const { aud, exp, iat, nbf, jti, sub, 'kubernetes.io': own } = claims;
  const wrongTime = Object.entries({ exp, iat, nbf, warnafter: own?.warnafter }).find(
    ([, time]) => time !== undefined && typeof time !== 'number',
  );
  if (wrongTime !== undefined) return `claim ${wrongTime[0]} is not a number`;
  if (aud !== undefined && !(Array.isArray(aud) && aud.every((item) => typeof item === 'string')))
    return 'claim aud is not a list of texts';
  const references = [own?.serviceaccount, own?.pod, own?.secret, own?.node].flatMap((claim) => [claim?.name, claim?.uid]);
  if ([jti, sub, own?.namespace, ...references].some((item) => item !== undefined && typeof item !== 'string'))
    return 'a claim that names an object is not a text';
  return undefined;
}

function encodedJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decodedJson(part: string): Readonly<Record<string, unknown>> | undefined {
  if (!isBase64Url(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    // A client may send anything: a text that is not JSON is not a token.
    return undefined;
  }
}

const isBase64Url = (part: string): boolean => /^[A-Za-z0-9_-]*$/.test(part);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function sorted(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).sort(([left], [right]) => (left < right ? -1 : 1)));
}
