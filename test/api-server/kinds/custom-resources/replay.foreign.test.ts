import { readFileSync } from 'node:fs';
import type { JsonObject } from '../../../../src/api-server/contract/index.js';
import { Server } from './server.js';

interface Exchange {
  readonly request_url: string;
  readonly request_method: 'DELETE' | 'GET' | 'POST';
  readonly request_body: string | null;
  readonly response_body: string;
}

const FILE = '../shared/data/replays/k8s-openapi-tests/test-replays/v1-34/custom_resource_definition-test.json';
const VERBS = { DELETE: 'delete', GET: 'get', POST: 'create' } as const;

/** `/apis/g/v/namespaces/n/plural/name` as the bench writes it: `g/v/plural/n/name`. */
function pathOf(url: string): string {
  const [group, version, ...rest] = url.replace(/^\/apis\//, '').split('/');
  const [namespace, plural, name] = rest[0] === 'namespaces' ? [rest[1], rest[2], rest[3]] : ['', rest[0], rest[1]];
  return [group, version, plural, namespace, ...(name === undefined ? [] : [name])].join('/');
}

/** What differs from run to run. */
function masked(body: string): string {
  return body
    .trim()
    .replace(/"(uid|resourceVersion)":"[^"]*"/g, '"$1":"…"')
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"time"');
}

/** Lists and watches are the registry's; everything else is held to the recording, byte by byte. */
const replayed = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ request_method: method, request_url: url }) => method !== 'GET' || /\/fb\d$/.test(url));

describe('a recorded life of a definition', () => {
  test('is answered in the same bytes', async () => {
    const exchanges = replayed(JSON.parse(readFileSync(FILE, 'utf8')) as readonly Exchange[]);
    expect(exchanges).toHaveLength(11);
    const server = new Server();
    for (const { request_method: method, request_url: url, request_body: body, response_body: recorded } of exchanges) {
      const answer: JsonObject = await server.request(VERBS[method], pathOf(url), body ? (JSON.parse(body) as object) : undefined);
      expect({ url, answer: masked(JSON.stringify(answer)) }).toEqual({ url, answer: masked(recorded) });
      await server.controllers.settled();
    }
    expect(server.problems).toEqual([]);
  });
});
