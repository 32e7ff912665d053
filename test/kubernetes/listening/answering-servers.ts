import { defineOperator, validating } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { ServerCertificates } from '../../../src/api-server/access/certificates/index.js';
import { ApiHttpServer } from '../../../src/api-server/http/index.js';
import { PageServer } from '../../../src/cli/dev/page/page-server.js';
import { systemClock } from '../../../src/runtime/clock/index.js';
import { EndpointServer } from '../../../src/runtime/operator-parts/index.js';
import { MetricsServer, ProbeServer } from '../../../src/runtime/telemetry/index.js';
import { FakeApi, fakeCatalog } from '../../api-server/http/fake-api.js';
import { review, Served, stopAll } from '../../runtime/admission/served.js';
import { keptLog } from '../../runtime/telemetry/fetching.js';
import { requestOf } from './raw-client.js';

/** A server of ours that runs, and a request whose answer is large where the server has such answers. */
export interface Answering {
  readonly port: number;
  readonly isSecure: boolean;
  /** As bytes of HTTP/1.1. */
  readonly request: string;
  /** Requests whose handler has begun. */
  readonly handled: () => number;
  readonly stop: () => Promise<void>;
}

/** More than the kernel and TLS take for a client that does not read. */
const LARGE = 'x'.repeat(16 * 1024 * 1024);
const BASICS = { port: 0, host: '127.0.0.1', clock: systemClock, log: keptLog().log };
const certificates = new ServerCertificates();

async function probes(): Promise<Answering> {
  let handled = 0;
  const problem = (): undefined => {
    handled += 1;
  };
  const check = { name: 'counts', problem };
  const server = new ProbeServer({ ...BASICS, readiness: [check], eventLoopBoundMs: 60_000 });
  const { port } = await server.start();
  return { port, isSecure: false, request: requestOf('/readyz?verbose'), handled: () => handled, stop: () => server.stop() };
}

async function metrics(isSecure: boolean): Promise<Answering> {
  let handled = 0;
  const text = async (): Promise<{ contentType: string; body: string }> => {
    handled += 1;
    return { contentType: 'text/plain', body: LARGE };
  };
  const client = { create: async () => ({ status: { authenticated: true, user: { username: 'prometheus' }, allowed: true } }) };
  const server = new MetricsServer({ ...BASICS, metrics: { text }, ...(isSecure && { secure: { client: client as never } }) });
  const { port } = await server.start();
  const request = requestOf('/metrics', 'Authorization: Bearer a\r\n');
  return { port, isSecure, request, handled: () => handled, stop: () => server.stop() };
}

async function webhooks(): Promise<Answering> {
  let handled = 0;
  const refusal = { path: 'data', message: LARGE.slice(0, 2 * 1024 * 1024) };
  const webhook = validating(ConfigMap, () => {
    handled += 1;
    return [refusal];
  });
  const operator = defineOperator({ name: 'test', webhooks: [webhook] });
  const { port } = await Served.of(operator);
  const body = JSON.stringify(review({ object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b' } } }));
  const head = `POST ${operator.webhooks[0]?.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  return { port, isSecure: true, request: head + body, handled: () => handled, stop: stopAll };
}

async function apiServer(isSecure: boolean): Promise<Answering> {
  let handled = 0;
  const document = () => {
    handled += 1;
    return { status: 200, headers: {}, body: LARGE };
  };
  const server = new ApiHttpServer({
    api: new FakeApi(),
    catalog: fakeCatalog(),
    documents: { find: () => document },
    gatekeeper: { authenticate: () => ({ username: 'alice', groups: [] }), authorize: () => undefined },
    now: () => new Date(),
    reportBug: () => undefined,
  });
  const { authority, serving } = certificates;
  const tls = { certificate: serving.certificate, key: serving.privateKey, clientAuthorities: authority };
  const { port } = await server.listen(isSecure ? { tls } : {});
  return { port, isSecure, request: requestOf('/openapi/v2'), handled: () => handled, stop: () => server.close() };
}

async function endpoint(): Promise<Answering> {
  let handled = 0;
  const handle = (): Response => {
    handled += 1;
    return new Response(LARGE);
  };
  const server = new EndpointServer({ ...BASICS, endpoint: { name: 'a', port: 1, handle: handle as never }, contextOf: () => ({}) });
  const { port } = await server.start();
  return { port, isSecure: false, request: requestOf('/'), handled: () => handled, stop: () => server.stop() };
}

async function page(): Promise<Answering> {
  let handled = 0;
  const state = (): object => {
    handled += 1;
    return { LARGE };
  };
  const server = await PageServer.start({ reads: { state }, actions: {} });
  const { port, pathname } = new URL(server.url);
  const request = `GET ${pathname}state HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`;
  return { port: Number(port), isSecure: false, request, handled: () => handled, stop: () => server.close() };
}

/** Each HTTP server of ours. */
export const SERVERS: Readonly<Record<string, () => Promise<Answering>>> = {
  probes,
  metrics: () => metrics(false),
  'secured metrics': () => metrics(true),
  webhooks,
  'the API': () => apiServer(false),
  'the API with TLS': () => apiServer(true),
  endpoints: endpoint,
  'the page of keelson dev': page,
};
