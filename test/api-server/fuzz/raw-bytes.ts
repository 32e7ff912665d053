import type { Random } from '../values/apply/differential/random.js';
import { mangledBytes, mangledText, randomBytes } from './mangle.js';

const COLLECTION = '/api/v1/namespaces/default/configmaps';
const BODY = '{"metadata":{"name":"raw"},"data":{"a":"b"}}';

const HEADERS = [
  'Host: x',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 5, 5',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: x',
  'Expect: 100-continue',
  'Expect: x',
  'Connection: close',
  'Connection: upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Accept-Encoding: gzip',
  'Content-Encoding: gzip',
  ': x',
  'A',
  ' folded: x',
  'X: \0',
  'X: \x7f\xff',
  'Authorization: Bearer',
  'Authorization: Basic eDp5',
  'Impersonate-User: x',
  'Audit-ID: \xe9',
  'Content-Type: application/json',
  'Content-Type: application/vnd.kubernetes.protobuf',
  'Cookie: a=b',
  'Range: bytes=0-1',
  'If-None-Match: "x"',
  'Keep-Alive: timeout=1',
  'Trailer: X',
];
const LINES = [
  'GET / HTTP/1.1',
  'GET / HTTP/1.0',
  'GET / HTTP/0.9',
  'GET / HTTP/2.0',
  'PRI * HTTP/2.0',
  'GET /',
  'GET',
  '',
  'CONNECT x:1 HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET http://x/api HTTP/1.1',
  `POST ${COLLECTION} HTTP/1.1`,
  `PATCH ${COLLECTION}/a HTTP/1.1`,
  `GET ${COLLECTION}?watch=1&timeoutSeconds=0 HTTP/1.1`,
  'get / HTTP/1.1',
  'BREW /tea HTTP/1.1',
  `HEAD ${COLLECTION} HTTP/1.1`,
  `DELETE ${COLLECTION}/raw HTTP/1.1`,
  'TRACE / HTTP/1.1',
  '\x16\x03\x01\x02\x00',
  `GET /${'x'.repeat(20_000)} HTTP/1.1`,
  'GET /%zz HTTP/1.1',
  'GET /\xff HTTP/1.1',
  'M-SEARCH * HTTP/1.1',
];

/** Bytes that are nearly a request, and how they come. */
export interface RawInput {
  readonly pieces: readonly Buffer[];
  /** The client is gone before it can be answered. */
  readonly breaksOff: boolean;
}

export function rawInput(random: Random, token: string): RawInput {
  const bytes = random.chance(0.05)
    ? randomBytes(random, random.below(200))
    : Buffer.concat(Array.from({ length: random.chance(0.15) ? 3 : 1 }, () => request(random, token)));
  const whole = random.chance(0.35) ? mangledBytes(random, bytes) : bytes;
  return { pieces: random.chance(0.3) ? inPieces(random, whole) : [whole], breaksOff: random.chance(0.2) };
}

function request(random: Random, token: string): Buffer {
  const line = random.chance(0.5) ? random.one(LINES) : mangledText(random, random.one(LINES));
  const headers = [
    ...(random.chance(0.9) ? ['Host: x'] : []),
    ...(random.chance(0.7) ? [`Authorization: Bearer ${token}`] : []),
    ...random.some(HEADERS, 0.05),
  ];
  if (random.chance(0.01)) headers.push(`X: ${'x'.repeat(1024 * 1024)}`);
  if (random.chance(0.02)) headers.push(...Array.from({ length: 3000 }, (_, n) => `X-${n}: y`));
  const { header, bytes } = body(random);
  const newline = random.chance(0.95) ? '\r\n' : random.one(['\n', '\r', '\n\r']);
  return Buffer.concat([Buffer.from([line, ...headers, ...header, '', ''].join(newline), 'latin1'), bytes]);
}

function body(random: Random): { readonly header: readonly string[]; readonly bytes: Buffer } {
  const text = random.chance(0.5) ? BODY : mangledText(random, BODY);
  switch (random.below(4)) {
    case 0:
      return { header: [], bytes: Buffer.alloc(0) };
    case 1:
      return { header: [`Content-Length: ${Buffer.byteLength(text) + random.one([0, 0, 0, 3, -3])}`], bytes: Buffer.from(text) };
    case 2:
      return { header: ['Transfer-Encoding: chunked'], bytes: Buffer.from(chunked(random, text)) };
    default:
      return { header: [], bytes: Buffer.from(text) };
  }
}

function chunked(random: Random, text: string): string {
  const size = random.one([1, 7, 1000]);
  const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));
  const good = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}${random.one(['', '', ';x=y'])}\r\n${chunk}\r\n`).join('');
  const end = random.one(['0\r\n\r\n', '0\r\n\r\n', '', '0\r\nX: y\r\n\r\n', 'zz\r\n', '-1\r\n\r\n', `${'f'.repeat(17)}\r\n`]);
  return random.chance(0.7) ? good + end : mangledText(random, good + end);
}

function inPieces(random: Random, bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + 1 + random.below(random.one([3, 50, 5000])));
    pieces.push(bytes.subarray(at, end));
    at = end;
    // A long text byte by byte would take as long as all others.
    if (pieces.length === 20) return [...pieces, bytes.subarray(at)];
  }
  return pieces;
}
