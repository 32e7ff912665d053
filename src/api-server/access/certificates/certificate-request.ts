import { constants, createPublicKey, type KeyObject, type VerifyPublicKeyInput, verify } from 'node:crypto';
import { pemBlocks } from './pem.js';

/** The contents of a certificate request. */
export interface CertificateRequest {
  /** The groups that its subject asks for. */
  readonly organizations: readonly string[];
  /** As Go would say it; undefined where it is signed with its own key. */
  readonly signatureProblem: string | undefined;
}

/**
 * Reads a PKCS #10 request, PEM in Base64. All that is malformed inside gets one message.
 *
 * Source: kubernetes `pkg/apis/certificates/helpers.go`, Go `crypto/x509` (`ParseCertificateRequest`, `CheckSignature`); RFC 2986 §4.
 * @returns `problem`: why it cannot be read, as Go would say it
 */
export function readCertificateRequest(base64: string): CertificateRequest | { readonly problem: string } {
  const [block] = pemBlocks(Buffer.from(base64, 'base64').toString('latin1'));
  if (block?.type !== 'CERTIFICATE REQUEST') return { problem: 'PEM block type must be CERTIFICATE REQUEST' };
  const lines = block.text.split(/\r?\n/).slice(1, -1);
  const request = partsOf(Buffer.from(lines.join(''), 'base64'));
  if (request === undefined) return { problem: 'x509: malformed certificate request' };
  return { organizations: organizationsOf(request.subject), signatureProblem: signatureProblem(request) };
}

interface Element {
  readonly tag: number;
  /** With tag and length. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

interface SignedRequest {
  readonly signed: Buffer;
  readonly algorithm: Buffer;
  readonly signature: Buffer;
  readonly key: KeyObject;
  /** Content of its distinguished name. */
  readonly subject: Buffer;
}

const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
const OBJECT_IDENTIFIER = 0x06;
/** `O` of a distinguished name: 2.5.4.10. */
const ORGANIZATION = '55040a';

function partsOf(der: Buffer): SignedRequest | undefined {
  const [outer, ...trailing] = elementsOf(der);
  if (outer?.tag !== SEQUENCE || trailing.length > 0) return undefined;
  const [signed, algorithm, signature] = elementsOf(outer.content);
  if (signed?.tag !== SEQUENCE || algorithm?.tag !== SEQUENCE || signature?.tag !== BIT_STRING) return undefined;
  const [, subject, publicKey] = elementsOf(signed.content);
  const [oid] = elementsOf(algorithm.content);
  const key = publicKey === undefined ? undefined : keyOf(publicKey.whole);
  if (key === undefined || oid === undefined || subject?.tag !== SEQUENCE) return undefined;
  return { signed: signed.whole, algorithm: oid.content, signature: signature.content.subarray(1), key, subject: subject.content };
}

/** A name is a list of sets of pairs. */
function organizationsOf(subject: Buffer): readonly string[] {
  const pairs = elementsOf(subject).flatMap((set) => elementsOf(set.content));
  return pairs.flatMap((pair) => {
    const [name, value] = elementsOf(pair.content);
    const isOrganization = name?.tag === OBJECT_IDENTIFIER && name.content.toString('hex') === ORGANIZATION;
    return isOrganization && value !== undefined ? [value.content.toString('utf8')] : [];
  });
}

/** The elements of DER that follow each other; none where they do not fill it. */
function elementsOf(der: Buffer): readonly Element[] {
  const elements: Element[] = [];
  let at = 0;
  while (at < der.length) {
    const size = sizeAt(der, at + 1);
    if (size === undefined || size.end > der.length) return [];
    elements.push({ tag: der[at] ?? 0, whole: der.subarray(at, size.end), content: der.subarray(size.start, size.end) });
    at = size.end;
  }
  return elements;
}

function sizeAt(der: Buffer, at: number): { readonly start: number; readonly end: number } | undefined {
  const first = der[at];
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: at + 1, end: at + 1 + first };
  const count = first & 0x7f;
  // A request of more than 16 MiB cannot come: the server takes no such body.
  if (count === 0 || count > 3 || at + count >= der.length) return undefined;
  const start = at + 1 + count;
  return { start, end: start + der.readUIntBE(at + 1, count) };
}

function keyOf(der: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    // A key that cannot be read has signed nothing.
    return undefined;
  }
}

/** By the object identifier's content in hex: the hash, and what a failure is called. Source: RFC 8017 §A.2, RFC 5758 §3.2, RFC 8410 §3. */
const ALGORITHMS: Readonly<Record<string, { readonly hash: string | null; readonly isPss?: true }>> = {
  '2a864886f70d010105': { hash: 'sha1' },
  '2a864886f70d01010b': { hash: 'sha256' },
  '2a864886f70d01010c': { hash: 'sha384' },
  '2a864886f70d01010d': { hash: 'sha512' },
  '2a864886f70d01010a': { hash: 'sha256', isPss: true },
  '2a8648ce3d0401': { hash: 'sha1' },
  '2a8648ce3d040302': { hash: 'sha256' },
  '2a8648ce3d040303': { hash: 'sha384' },
  '2a8648ce3d040304': { hash: 'sha512' },
  '2b6570': { hash: null },
};

const FAILURES: Readonly<Record<string, string>> = {
  rsa: 'crypto/rsa: verification error',
  'rsa-pss': 'crypto/rsa: verification error',
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
};

function signatureProblem({ signed, algorithm, signature, key }: SignedRequest): string | undefined {
  const known = ALGORITHMS[algorithm.toString('hex')];
  const failure = FAILURES[key.asymmetricKeyType ?? ''];
  if (known === undefined || failure === undefined) return 'x509: cannot verify signature: algorithm unimplemented';
  const input: VerifyPublicKeyInput & { key: KeyObject } = { key } as never;
  if (known.isPss === true) Object.assign(input, { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO });
  return verify(known.hash, signed, input as never, signature) ? undefined : failure;
}
