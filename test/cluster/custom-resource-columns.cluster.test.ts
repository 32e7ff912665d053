import { resourceOf, version, versionOf, widgetSchema, widgets } from '../api-server/kinds/custom-resources/definitions.js';
import { describeCluster } from './harness/index.js';

const GROUP = 'columns.example.com';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const TYPES = ['string', 'integer', 'number', 'boolean', 'date'];
const PATHS = [
  '.spec.whole',
  '.spec.half',
  '.spec.flag',
  '.spec.text',
  '.spec.none',
  '.spec.past',
  '.spec.day',
  '.spec.big',
  '.spec.map',
  '.spec.list',
  '.spec.list[1]',
  '.spec.list[-1]',
  '.spec.list[-2:]',
  '.spec.list[0:2:2]',
  '.spec.list[7]',
  '.spec.list[*]',
  '.spec.list[0,2]',
  ".spec.map['a.b']",
  ".spec['text','flag']",
  '.spec.map.a\\.b',
  '.spec.items[?(@.name=="b")].size',
  ".spec.items[?(@.name=='b')].size",
  '.spec.items[?(@.size>1)].name',
  '.spec.items[?(@.size>1.5)].name',
  '.spec.items[?(@.on)].name',
  '.spec.items[?(@.on==true)].name',
  '.spec.items[?(@.name!="a")].name',
  '.spec.items[*].name',
  '.spec.text[0]',
  '.spec.missing.deeper',
  '..size',
  '.',
  '.spec.',
  '.metadata.creationTimestamp',
];
const SPEC = {
  whole: 7,
  half: 2.5,
  flag: true,
  text: 'a "quoted" <text>',
  none: null,
  past: '2020-01-02T03:04:05Z',
  day: '2020-01-02',
  big: 123456789012,
  map: { 'a.b': 'dotted', z: [1, { y: null }] },
  list: ['x', 'y', 'z'],
  items: [
    { name: 'a', size: 1 },
    { name: 'b', size: 2, on: true },
  ],
};

describeCluster('printer columns as the in-process server fills them', (cluster) => {
  const columns = TYPES.flatMap((type) => PATHS.map((jsonPath) => ({ name: `${type} ${jsonPath}`, type, jsonPath })));
  const schema = widgetSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true } as never);
  const definition = widgets(
    { group: GROUP, versions: [version({ schema, additionalPrinterColumns: columns })] },
    { name: `widgets.${GROUP}` },
  );
  let namespace = '';
  beforeAll(async () => {
    namespace = await cluster.namespace('columns');
    await cluster.must('POST', DEFINITIONS, definition);
    await cluster.untilServed(`widgets.${GROUP}`);
  });
  afterAll(async () => {
    await cluster.must('DELETE', `${DEFINITIONS}/widgets.${GROUP}`);
  });

  test('fill the same cells under the same heads', async () => {
    const body = { apiVersion: `${GROUP}/v1`, kind: 'Widget', metadata: { name: 'one' }, spec: SPEC };
    const object = await cluster.must('POST', `/apis/${GROUP}/v1/namespaces/${namespace}/widgets`, body);
    type Table = { readonly columnDefinitions: readonly object[]; readonly rows: readonly { readonly cells: readonly unknown[] }[] };
    const real = await cluster.must<Table>('GET', `/apis/${GROUP}/v1/namespaces/${namespace}/widgets/one`, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    const { table } = versionOf(resourceOf(definition));
    // The name is described in words of our own.
    expect(table.columns.slice(1)).toEqual(real.columnDefinitions.slice(1));
    expect({ ...table.columns[0], description: '' }).toEqual({ ...real.columnDefinitions[0], description: '' });
    const heads = ['name', ...columns.map(({ name }) => name)];
    const shown = (cells: readonly unknown[]): readonly unknown[] =>
      cells.map((cell, index) => [heads[index], masked(heads[index] ?? '', cell)]);
    expect(shown(table.cells(object as never, new Date()))).toEqual(shown(real.rows[0]?.cells ?? []));
  });
});

/** Ages of what was made just now go on while the answer comes; several maps have no order. */
function masked(head: string, cell: unknown): unknown {
  if (/creationTimestamp$/.test(head) && /^\d+s$/.test(String(cell))) return 'some seconds';
  return /\.\.size|\.$/.test(head) && typeof cell === 'string' ? cell.length : cell;
}
