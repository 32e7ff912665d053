import { type Answer, type Exchange, filled, masked } from '../api-server/registry/differential/exchange.js';
import { exchanges, scales } from '../api-server/registry/differential/exchanges.js';
import { InProcess } from '../api-server/registry/differential/in-process.js';
import { describeCluster, type Method, type RequestOptions, SharedCluster } from './harness/index.js';

const NAMESPACE = 'registry';

const METHODS: Readonly<Record<Exchange['verb'], Method>> = {
  create: 'POST',
  delete: 'DELETE',
  deletecollection: 'DELETE',
  get: 'GET',
  list: 'GET',
  patch: 'PATCH',
  update: 'PUT',
  watch: 'GET',
};
const CONTENT_TYPES = {
  apply: 'application/apply-patch+yaml',
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

/** A server without controllers: nobody else writes to the objects. */
describeCluster('what a real API server answers, exchange by exchange', () => {
  let cluster: SharedCluster;
  beforeAll(async () => {
    cluster = SharedCluster.take('bare');
    await cluster.must('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  });
  afterAll(() => cluster?.stop());

  const pathOf = ({ resource, name, subresource }: Exchange): string => {
    const group = resource === 'replicasets' ? '/apis/apps/v1' : '/api/v1';
    return [`${group}/namespaces/${NAMESPACE}/${resource}`, name, subresource]
      .filter((part) => part !== undefined && part !== '')
      .join('/');
  };

  async function known(exchange: Exchange): Promise<{ uid: string; rv: string }> {
    if (exchange.name === undefined) return { uid: '', rv: '' };
    const { body } = await cluster.request<{ metadata?: { uid?: string; resourceVersion?: string } }>(
      'GET',
      pathOf({ ...exchange, subresource: '' }),
    );
    return { uid: body.metadata?.uid ?? '', rv: body.metadata?.resourceVersion ?? '' };
  }

  async function real(exchange: Exchange): Promise<Answer> {
    const { verb, format, body, query = {} } = exchange;
    if (verb === 'watch') return realWatch(exchange);
    const options: RequestOptions = { query, ...(format === undefined ? {} : { contentType: CONTENT_TYPES[format] }) };
    const answer = await cluster.request<Record<string, unknown>>(METHODS[verb], pathOf(exchange), body, options);
    const { kind, apiVersion: _version, ...list } = answer.body;
    const isList = typeof kind === 'string' && kind.endsWith('List');
    return { status: answer.status, body: isList ? list : answer.body, warnings: [...new Set(answer.warnings)] };
  }

  async function realWatch(exchange: Exchange): Promise<Answer> {
    const query = new URLSearchParams({ ...exchange.query, watch: 'true', timeoutSeconds: '1' });
    const { stdout, stderr } = await cluster.kubectl(['get', '--raw', `${pathOf(exchange)}?${query.toString()}`]);
    expect(stderr).toBe('');
    const events = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
    return { status: 200, body: events, warnings: [] };
  }

  const play = async (list: readonly Exchange[]): Promise<void> => {
    const ours = new InProcess(NAMESPACE);
    const differences: unknown[] = [];
    for (const [index, exchange] of list.entries()) {
      const expected = masked(await real(filled(exchange, await known(exchange))));
      const actual = masked(await ours.answer(filled(exchange, ours.known(exchange))));
      try {
        expect(actual).toEqual(expected);
      } catch (error) {
        differences.push(`${index} ${JSON.stringify(exchange)}\n${error instanceof Error ? error.message : String(error)}`);
      }
    }
    if (differences.length > 0) throw new Error(`${differences.length} differences\n\n${differences.join('\n\n')}`);
  };

  test.each(Object.entries(exchanges))('%s', (_name, list) => play(list));

  test('scales', () => play(scales));
});
