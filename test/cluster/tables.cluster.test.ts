import type { JsonObject, TableColumn } from '../../src/api-server/contract/index.js';
import { tableOf } from '../../src/api-server/documents/tables/index.js';
import type { Json } from '../../src/kubernetes/apimachinery/index.js';
import { builtinCatalog } from '../api-server/documents/discovery/builtin-catalog.js';
import { describeCluster, type TestObject } from './harness/index.js';
import { shownObjects } from './tables/objects.js';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

interface Table {
  readonly columnDefinitions: readonly TableColumn[];
  readonly rows:
    | readonly { readonly cells: readonly Json[]; readonly conditions?: readonly JsonObject[]; readonly object: JsonObject }[]
    | null;
}

const listed = builtinCatalog().resources.flatMap(({ group, kind, plural, versions }) =>
  versions
    .filter(({ verbs }) => verbs.includes('list'))
    .map(({ version }) => ({ group, kind, path: `${group === '' ? '/api' : `/apis/${group}`}/${version}/${plural}` })),
);

describeCluster('tables of built-in kinds', (cluster) => {
  const made: TestObject[] = [];
  beforeAll(async () => {
    const namespace = await cluster.namespace('tables');
    for (const object of shownObjects({ namespace, prefix: namespace })) {
      await create(object);
      made.push(object);
    }
  });
  afterAll(async () => {
    for (const object of made) {
      if (object.apiVersion === 'v1' && object.kind === 'Pod') continue;
      await cluster.request('DELETE', await cluster.paths.pathOf(object), {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        propagationPolicy: 'Background',
      });
    }
  });

  async function create(object: TestObject): Promise<void> {
    await cluster.must('POST', await cluster.paths.collectionOf(object), object);
    const { status } = object as { status?: object };
    if (status === undefined || Object.keys(status).length === 0) return;
    const options = { contentType: 'application/merge-patch+json' };
    const path = `${await cluster.paths.pathOf(object)}/status`;
    const { apiVersion, kind } = object;
    await cluster.must('PATCH', path, { apiVersion, kind, status }, options);
  }

  test.each(listed)('$path is that of the real server', async ({ group, kind, path }) => {
    const { body, headers } = await cluster.request<Table>('GET', path, undefined, { accept: TABLE, query: { includeObject: 'Object' } });
    const table = tableOf(group, kind);
    expect(table.columns.map((column) => ({ ...column, description: '' }))).toEqual(
      body.columnDefinitions.map((column) => ({ ...column, description: '' })),
    );
    expect(table.columns.every(({ description }) => description === '')).toBe(true);
    const rows = body.rows ?? [];
    expect(rows).not.toHaveLength(0);
    const now = new Date(headers.date ?? '');
    for (const { cells, conditions = [], object } of rows) {
      const own = { cells: table.cells(object, now).map(withoutAge), conditions: table.conditions?.(object) ?? [], object };
      expect(own).toEqual({ cells: cells.map(withoutAge), conditions, object });
    }
    const { compare } = table;
    if (compare !== undefined) expect([...rows].sort((a, b) => compare(a.object, b.object))).toEqual(rows);
  });
});

/** What is young changes while the answer is on its way. */
function withoutAge(cell: Json): Json {
  return typeof cell === 'string' && /^(\d+m)?\d+s$|^\d+m$/.test(cell) ? 'young' : cell;
}
