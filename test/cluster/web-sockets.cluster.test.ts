import { connect } from 'node:tls';
import { WebSocket } from 'ws';
import { DEADLINE_MS } from '../deadline.cjs';
import type { Endpoint } from './differential/exchange.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster } from './harness/index.js';

const C = '/api/v1/namespaces/default/configmaps';
const ORIGIN = 'http://localhost';
const HANDSHAKE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  `Origin: ${ORIGIN}`,
];
/** Closing frame with code 1000. */
const CLOSING_FRAME = '\x88\x02\x03\xe8';

describeCluster('watches over WebSockets', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair.stop());

  /** Writes an object and watches it: what a client reads, message by message. */
  async function watched(
    { url, ca, tokens }: Endpoint,
    { accept, byProtocol = false }: { accept?: string; byProtocol?: boolean },
  ): Promise<unknown> {
    const token = tokens['admin'] ?? '';
    const protocols = byProtocol ? [`base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`, 'x'] : [];
    const headers = { ...(byProtocol ? {} : { authorization: `Bearer ${token}` }), ...(accept && { accept }) };
    const path = `${C}?watch=true&fieldSelector=metadata.name%3Dsocket&timeoutSeconds=3`;
    const client = new WebSocket(url.replace('https', 'wss') + path, protocols, { origin: ORIGIN, ca, headers });
    const messages: string[] = [];
    client.on('message', (data, isBinary) => messages.push(`${isBinary ? 'binary' : 'text'} ${masked(String(data))}`));
    const closed = new Promise<number>((resolve, reject) => client.on('close', resolve).on('error', reject));
    return { protocol: await opened(client), code: await closed, messages };
  }

  test.each([
    ['objects', {}],
    ['tables', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }],
    ['metadata', { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }],
    ['with the token as a protocol', { byProtocol: true }],
  ])('%s', async (_, form) => {
    for (const speaker of pair.speakers) {
      await speaker.ask({ method: 'POST', path: C, body: { metadata: { name: 'socket' }, data: { a: 'ü' } } });
      await speaker.ask({ method: 'PATCH', path: `${C}/socket`, body: { data: { b: '2' } } });
    }
    const [ours, theirs] = await Promise.all(pair.speakers.map(({ endpoint }) => watched(endpoint, form)));
    expect(ours).toEqual(theirs);
    expect((theirs as { messages: readonly string[] }).messages).not.toEqual([]);
  });

  test.each<[string, readonly string[], string?]>([
    ['without a key', HANDSHAKE.filter((line) => !line.includes('Key'))],
    ['of another version', HANDSHAKE.map((line) => line.replace('13', '8'))],
    ['without an origin', HANDSHAKE.filter((line) => !line.includes('Origin'))],
    ['of the origin null', HANDSHAKE.map((line) => line.replace(ORIGIN, 'null'))],
    ['with two protocols', [...HANDSHAKE, 'Sec-WebSocket-Protocol: a, b']],
    ['with one protocol', [...HANDSHAKE, 'Sec-WebSocket-Protocol: base64.binary.k8s.io']],
    ['without a connection header', HANDSHAKE.filter((line) => !line.startsWith('Connection'))],
    ['for an object', HANDSHAKE, `${C}/none`],
    ['with a wrong option', HANDSHAKE, `${C}?watch=true&resourceVersion=x`],
    ['for HTTP/2', ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'], `${C}/none`],
  ])('a handshake %s', async (_, lines, path = `${C}?watch=true&timeoutSeconds=1&resourceVersion=0&fieldSelector=metadata.name%3Dnone`) => {
    const [ours, theirs] = await Promise.all(pair.speakers.map(({ endpoint }) => handshake(endpoint, path, lines)));
    expect(ours).toEqual(theirs);
  });
});

function opened(client: WebSocket): Promise<string> {
  return new Promise((resolve, reject) => client.on('open', () => resolve(client.protocol)).on('error', reject));
}

/** The first bytes of the answer, without what differs from server to server. */
function handshake({ url, ca, tokens }: Endpoint, path: string, lines: readonly string[]): Promise<readonly string[]> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] }, () => {
      socket.write([`GET ${path} HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${tokens['admin']}`, ...lines, '', ''].join('\r\n'));
    });
    const timer = setTimeout(() => socket.destroy(), DEADLINE_MS);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      // A watch without a handshake ends with its time limit; what stays open has been read to its end.
      if (text.endsWith(CLOSING_FRAME)) socket.destroy();
      if (/^HTTP\/1.1 (?:200|4|5)/.test(text) && /\r\n\r\n(?:.*\n|0\r\n\r\n)/s.test(text)) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(comparable(text));
    });
  });
}

function comparable(text: string): readonly string[] {
  const [head = '', body = ''] = [text.slice(0, text.indexOf('\r\n\r\n')), text.slice(text.indexOf('\r\n\r\n') + 4)];
  const fields = head
    .split('\r\n')
    .filter((line) => !/^(?:Audit-Id|Date|X-Kubernetes-Pf-\w+-Uid|Content-Length|Connection: close|Connection: keep)/.test(line));
  return [...fields.sort(), masked(body)];
}

function masked(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/(resourceVersion"?: ?"?)\d+/g, '$1N')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/"\d+(?:s|m\d*s?)"/g, '"AGE"')
    .replaceAll(/("format":"[^"]*","description":")(?:[^"\\]|\\.)*/g, '$1…');
}
