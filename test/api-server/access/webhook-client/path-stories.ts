import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '../../../../src/kubernetes/certificates/index.js';
import { eventually } from '../../../eventually.js';

/** Paths of URLs as users and tools write them: Go's envtest joins two slashes. */
export const PATHS: readonly string[] = [
  '',
  '/',
  '//',
  '/ok',
  '//ok',
  '/ok/',
  '/ok//',
  '/a//ok',
  '/a/./ok',
  '/a/../ok',
  '/../ok',
  '/a%2Fok',
  '/a%2fok/',
  '/a%20b',
  '/a b',
  '/%C3%BC',
  '/ü',
  '/%FF',
  "/!'()*[]",
  '/$&+,:;=@~-_.',
  '/a%3Fb',
  '/a%23b',
  '/a%25b',
  '/%2e%2e/ok',
  '/OK',
  '/to/307',
  '/to/308',
  '/to/301',
  '/to/302',
  '/to/303',
  '/to/300',
  '/to/none',
  '/to/absolute',
  '/to/chain',
  '/to/itself',
  '//to/307',
];

const authority = CertificateAuthority.create({ commonName: 'webhooks' });
const serving = authority.issueServing({ dnsNames: ['localhost'] });

/** A webhook server that allows all, redirects below `/to`, and keeps what it was asked. */
export class PathServer {
  readonly caBundle: string = Buffer.from(authority.certificate).toString('base64');
  port = 0;
  #seen: string[] = [];
  readonly #server = createServer({ key: serving.privateKey, cert: serving.certificate }, (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      const path = (request.url ?? '').split('?', 1)[0] ?? '';
      this.#seen.push(`${request.method} ${request.url} ${text === '' ? 'without a body' : 'with a review'}`);
      const [, to, how = ''] = path.split('/');
      if (to === 'to') {
        const code = /^\d+$/.test(how) ? Number(how) : 307;
        response.writeHead(code, how === 'none' ? {} : { location: this.#locationOf(how, request.url ?? '') }).end('moved');
        return;
      }
      const review = text === '' ? {} : (JSON.parse(text) as { apiVersion?: string; kind?: string; request?: { uid?: string } });
      const { apiVersion, kind, request: asked } = review;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked?.uid, allowed: true } }));
    });
  });

  #locationOf(how: string, url: string): string {
    if (how === 'absolute') return `https://localhost:${this.port}/ok?a=b`;
    if (how === 'chain') return '/to/308';
    return how === 'itself' ? url : '../moved';
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve));
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** What was asked since the last call. */
  take(): readonly string[] {
    return this.#seen.splice(0);
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => void this.#server.close(() => resolve()));
  }
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

export type Ask = (method: string, path: string, body: object, query?: Readonly<Record<string, string>>) => Promise<Answer>;

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

/** What a server does with a webhook at each path: requests of the webhook, status and message of the client's answer. */
export async function playPaths(ask: Ask, server: PathServer): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const rows: Record<string, readonly unknown[]> = {};
  const labels = PATHS.map((_, index) => `row-${index}`);
  for (const [index, path] of PATHS.entries()) {
    const clientConfig = { url: `https://localhost:${server.port}${path}`, caBundle: server.caBundle };
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
    const objectSelector = { matchLabels: { row: labels[index] } };
    const basics = { sideEffects: 'None', admissionReviewVersions: ['v1'], failurePolicy: 'Fail', timeoutSeconds: 20 };
    const { status, body } = await ask('POST', CONFIGURATIONS, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: `paths-${index}` },
      webhooks: [{ name: 'a.b.example', clientConfig, rules, objectSelector, ...basics }],
    });
    rows[path] = [status, messageOf(body)];
  }
  for (const [index, path] of PATHS.entries()) {
    if (rows[path]?.[0] !== 201) continue;
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'paths-', labels: { row: labels[index] } } };
    server.take();
    // A server learns of a configuration a moment after it has stored it.
    rows[path] = await eventually(async () => {
      const { status, body } = await ask('POST', '/api/v1/namespaces/default/configmaps', config, { dryRun: 'All' });
      const seen = server.take();
      return seen.length > 0 && [seen, status, status === 201 ? '' : messageOf(body)];
    }, `a call of the webhook at ${path}`);
  }
  const port = String(server.port);
  return JSON.parse(
    JSON.stringify(rows)
      .replaceAll(port, 'PORT')
      .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'UID'),
  ) as typeof rows;
}

function messageOf(body: object): unknown {
  return 'message' in body ? body.message : '';
}
