import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { parse as parseYaml } from 'yaml';
import { ApiServer } from '../../src/api-server/server/index.js';
import { eventually } from '../eventually.js';
import { describeCluster, SharedCluster } from './harness/index.js';
import { type ComparedRequest, definition, GROUP, requests, setUp } from './http/requests.js';

interface Endpoint {
  readonly url: string;
  readonly token: string;
  readonly ca?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

function send({ url, token, ca }: Endpoint, { method, path, headers = {}, body, token: own, until }: ComparedRequest): Promise<Answer> {
  const { protocol, hostname, port } = new URL(url);
  const bearer = own === undefined ? token : own;
  const sent = {
    ...headers,
    ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve, reject) => {
    const start = protocol === 'https:' ? secureRequest : plainRequest;
    const request = start({ hostname, port, method, path, headers: sent, agent: false, ...(ca && { ca }) }, (response) => {
      let text = '';
      const done = (whole: string): void => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: whole });
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        const lines = until === undefined ? undefined : linesTo(until, text);
        if (lines === undefined) return;
        done(lines);
        request.destroy();
      });
      response.on('error', reject);
      response.on('end', () => done(text));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Up to the line that holds `last`; undefined: it has not come as a whole. */
function linesTo(last: string, text: string): string | undefined {
  const found = text.indexOf(last);
  const end = found < 0 ? -1 : text.indexOf('\n', found);
  return end < 0 ? undefined : text.slice(0, end + 1);
}

/** What a client may depend on: the code, the headers that say something, the body without what differs from run to run. */
function comparable({ status, headers, text }: Answer, { byValue }: ComparedRequest): object {
  const { warning, vary } = headers;
  return {
    status,
    type: headers['content-type'],
    nosniff: headers['x-content-type-options'],
    cacheControl: headers['cache-control'],
    warning,
    vary,
    hasAuditId: headers['audit-id'] !== undefined,
    body:
      headers['content-type'] === 'application/yaml'
        ? parseYaml(masked(text))
        : byValue === undefined
          ? masked(text)
          : frames(masked(text)),
  };
}

/** JSON, or the JSON of each line. */
function frames(text: string): readonly unknown[] {
  return text.startsWith('{\n') ? [JSON.parse(text)] : text.split('\n').map((line) => (line === '' ? line : JSON.parse(line)));
}

function masked(text: string): string {
  return (
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/(resourceVersion"?: ?"?)\d+/g, '$1N')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
      .replaceAll(/"\d+(?:s|m\d*s?)"/g, '"AGE"')
      // Tier B: that a text cannot be parsed is said in the same place, with the same code and reason, in any words.
      .replaceAll(
        /"message":"(?:[^"\\]|\\.)*(?:yaml: |unexpected end of JSON input|invalid character )(?:[^"\\]|\\.)*"/g,
        '"message":"SYNTAX"',
      )
      // Columns are described in our own words.
      .replaceAll(/("format":"[^"]*","description":")(?:[^"\\]|\\.)*/g, '$1…')
  );
}

describeCluster('HTTP', (): void => {
  let cluster: SharedCluster;
  let ours: ApiServer;
  let real: Endpoint;
  let own: Endpoint;

  beforeAll(async () => {
    cluster = SharedCluster.take('bare');
    real = { url: cluster.connection.url, token: cluster.connection.tokens['admin'] as string, ca: cluster.connection.ca };
    ours = await ApiServer.start({ protocol: 'http', mode: 'envtest' });
    own = { url: ours.url, token: ours.tokenFor() };
    const crd = {
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      headers: { 'content-type': 'application/json' },
    };
    for (const endpoint of [real, own]) {
      await send(endpoint, { ...crd, body: JSON.stringify(definition) });
      const isServed = async (): Promise<boolean> =>
        (await send(endpoint, { method: 'GET', path: `/apis/${GROUP}/v1/sheets` })).status === 200;
      await eventually(isServed);
      for (const request of setUp) expect((await send(endpoint, request)).status).toBe(201);
    }
  });

  afterAll(async () => {
    await ours?.close();
    await cluster?.stop();
  });

  const all = Object.entries(requests).flatMap(([name, list]) => list.map((request) => [name, request] as const));
  const titled = all.map(([name, request]) => {
    const { method, path, headers = {}, body } = request;
    const title = `${name}: ${method} ${path.slice(0, 150)} ${JSON.stringify(headers)} ${JSON.stringify(body?.toString().slice(0, 40) ?? '')}`;
    return [title, request] as const;
  });

  test.each(titled)('%s', async (_title, request) => {
    const [theirs, answer] = await Promise.all([send(real, request), send(own, request)]);
    expect(comparable(answer, request)).toEqual(comparable(theirs, request));
  });
});
