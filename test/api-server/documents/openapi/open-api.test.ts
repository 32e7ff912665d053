import { createHash } from 'node:crypto';
import type { Resource } from '../../../../src/api-server/contract/index.js';
import { builtinDefinitions, OpenApi } from '../../../../src/api-server/documents/openapi/index.js';
import { builtinCatalog } from '../discovery/builtin-catalog.js';
import { customResource } from '../discovery/custom-resource.js';
import { boatDefinition, GROUP, shipDefinition } from './ship-definitions.js';

const PATH = `/openapi/v3/apis/${GROUP}/v1`;

function publishing() {
  const catalog = builtinCatalog();
  const asked: string[] = [];
  const openApi = new OpenApi({
    catalog,
    definitions: builtinDefinitions(),
    customResourceDefinition: ({ kind }: Resource) => {
      asked.push(kind);
      return kind === 'Ship' ? shipDefinition : boatDefinition;
    },
    now: () => new Date('2026-01-02T03:04:05Z'),
  });
  const put = (kind: string, subresources: ('scale' | 'status')[] = []): void =>
    catalog.put(customResource({ group: GROUP, kind, versions: ['v1'], subresources }));
  const ask = (path: string, headers: Record<string, string> = {}) => {
    const url = new URL(path, 'http://server');
    return openApi.answer({ path: url.pathname, query: url.searchParams, headers });
  };
  const read = (path: string) => JSON.parse(String(ask(path)?.body));
  const index = (): Record<string, { serverRelativeURL: string }> => read('/openapi/v3').paths;
  return { catalog, asked, put, ask, read, index };
}

describe('OpenAPI documents', () => {
  test('of custom resources are made anew when they change, those of others are not', () => {
    const { catalog, asked, put, index } = publishing();
    catalog.put(customResource({ group: 'other.example.com', kind: 'Other', versions: ['v1'] }));
    put('Ship');
    const before = index();
    expect(asked).toEqual(['Other', 'Ship']);
    put('Boat');
    const after = index();
    expect(asked.slice(2)).toEqual(['Ship', 'Boat']);
    const name = `apis/${GROUP}/v1`;
    expect(after[name]).not.toEqual(before[name]);
    expect({ ...after, [name]: undefined }).toEqual({ ...before, [name]: undefined });
    index();
    expect(asked).toHaveLength(4);
  });

  test('go with the last resource of their version', () => {
    const { catalog, put, ask, index } = publishing();
    put('Ship');
    index();
    catalog.remove(GROUP, 'ships');
    expect(index()).not.toHaveProperty(`apis/${GROUP}/v1`);
    expect(ask(PATH)).toEqual({ status: 404, headers: {}, body: '', isNeverCompressed: true });
  });

  test('may be kept for ever under the address that the index gives, and only there', () => {
    const { put, ask, index } = publishing();
    put('Ship');
    const url = index()[`apis/${GROUP}/v1`]?.serverRelativeURL ?? '';
    const answer = ask(url);
    const hash = createHash('sha512')
      .update(answer?.body ?? '')
      .digest('hex')
      .toUpperCase();
    expect(url).toBe(`${PATH}?hash=${hash}`);
    expect(answer?.headers).toMatchObject({
      'Cache-Control': 'public, immutable',
      Expires: 'Sat, 02 Jan 2027 03:04:05 GMT',
      ETag: `"${hash}"`,
      Vary: 'Accept',
    });
    expect(ask(PATH)?.headers).not.toHaveProperty('Cache-Control');
    expect(ask(`${PATH}?hash=AA`)).toMatchObject({ status: 301, headers: { Location: url }, body: '' });
    expect(ask(PATH, { 'if-none-match': `"${hash}"` })).toMatchObject({ status: 304, body: '' });
  });

  test('are not for who accepts no JSON', () => {
    const { ask } = publishing();
    expect(ask('/openapi/v3/api/v1', { accept: 'text/html' })).toMatchObject({ status: 406 });
    expect(ask('/openapi/v3/api/v1', { accept: 'text/html, application/json;q=0.5' })).toMatchObject({ status: 200 });
    expect(ask('/openapi/v4')).toBeUndefined();
  });

  test('tell kubectl how a kind may be patched', () => {
    const { put, read } = publishing();
    put('Ship', ['scale', 'status']);
    const patchOf = (path: string, item: string) => read(path).paths[item].patch;
    const deployment = patchOf('/openapi/v3/apis/apps/v1', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}');
    expect(deployment.requestBody.content).toHaveProperty(['application/strategic-merge-patch+json']);
    const ship = patchOf(PATH, `/apis/${GROUP}/v1/namespaces/{namespace}/ships/{name}`);
    expect(ship.requestBody.content).not.toHaveProperty(['application/strategic-merge-patch+json']);
    for (const operation of [deployment, ship]) {
      expect(operation.parameters.map(({ name }: { name: string }) => name)).toEqual([
        'dryRun',
        'fieldManager',
        'fieldValidation',
        'force',
      ]);
    }
  });
});
