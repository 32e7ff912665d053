import { inspect } from 'node:util';
import { ApiServer } from '../../../src/api-server/server/index.js';
import { apiVersionOf } from '../../../src/kubernetes/apimachinery/index.js';
import { SHARES } from './campaign.js';
import { RawClient } from './raw-client.js';
import { objectOf, SAMPLES, type Sample, WIDGET_DEFINITION, WIDGETS } from './samples.js';

const problems: string[] = [];
let server: ApiServer;
let client: RawClient;

beforeAll(async () => {
  server = await ApiServer.start({
    protocol: 'http',
    mode: 'envtest',
    onProblem: (problem) => problems.push(`${'request' in problem ? problem.request : problem.key}: ${inspect(problem.error)}`),
  });
  client = new RawClient(Number(new URL(server.url).port), server.tokenFor());
  await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', WIDGET_DEFINITION);
});
afterAll(async () => {
  client.close();
  await server.close();
});

async function create(path: string, object: unknown): Promise<{ readonly status: number; readonly message: string }> {
  const answer = await client.send(
    { method: 'POST', path, headers: { 'Content-Type': 'application/json' }, body: Buffer.from(JSON.stringify(object)) },
    false,
  );
  if (answer === 'closed') throw new Error(`${path}: the connection was cut`);
  return { status: answer.status, message: (JSON.parse(answer.body) as { message?: string }).message ?? '' };
}

const collectionOf = ({ group, version, plural, isNamespaced }: Sample): string =>
  `${group === '' ? `/api/${version}` : `/apis/${group}/${version}`}${isNamespaced ? '/namespaces/default' : ''}/${plural}`;

const isReview = ({ kind }: Sample): boolean => kind.endsWith('Review');

test('the shares are of a hundred', () => {
  expect(Object.values(SHARES).reduce<number>((sum, share) => sum + share, 0)).toBe(100);
});

// What is refused as it stands is refused for the same reason when it is changed: nothing behind that reason would be reached.
test.each(
  SAMPLES.filter(({ plural }) => plural !== 'customresourcedefinitions').map((of) => [`${apiVersionOf(of)} ${of.kind}`, of] as const),
)('the sample of a %s is good', async (_name, of) => {
  const name = of.version === 'v1beta1' || of.version === 'v1' ? of.version : 'other';
  const { status, message } = await create(collectionOf(of), objectOf(of, name, 'default'));
  expect(`${status} ${status === 201 ? '' : message}`).toBe('201 ');
});

/** A LimitRange gets a name of the server's making. */
const mayLackName = (of: Sample): boolean => isReview(of) || of.kind === 'LimitRange';

/** A real server gives a Service its address before it asks for the name, and the address belongs to somebody. */
const NAMELESS_SERVICE = /^422 .*failed to allocate IP: .* spec\.parentRef\.name: Required value$/;

test.each(SAMPLES.filter((of) => !mayLackName(of)).map((of) => [of.kind, of] as const))(
  'a %s without a name is refused',
  async (_name, of) => {
    const { metadata: _metadata, ...object } = objectOf(of, '');
    for (const given of [object, { ...object, metadata: {} }, { ...object, metadata: null }]) {
      const { status, message } = await create(collectionOf(of), given);
      expect(problems.splice(0)).toEqual([]);
      expect(`${status} ${message}`).toMatch(
        of.kind === 'Service' ? NAMELESS_SERVICE : /^422 .*(?:name or generateName is required|metadata\.name)/,
      );
    }
  },
);

const BARE: readonly object[] = [
  {},
  { metadata: {} },
  { metadata: { name: 'x' } },
  { spec: {}, status: {} },
  { metadata: { generateName: '' }, spec: null },
];

test('objects that say next to nothing are answered, whatever their kind', async () => {
  for (const { group, plural, kind, scope, versions } of server.core.catalog.resources) {
    for (const { version } of versions) {
      const of = { group, version, plural, kind, isNamespaced: scope === 'Namespaced', subresources: [], body: {} };
      for (const body of BARE) await create(collectionOf(of), { apiVersion: apiVersionOf(of), kind, ...body });
    }
  }
  expect(problems).toEqual([]);
});

test('resources of the samples are served', () => {
  for (const { group, version, plural } of SAMPLES) expect(server.core.catalog.served(group, version, plural)).toBeDefined();
  expect(SAMPLES.some(({ plural }) => plural === WIDGETS.plural)).toBe(true);
});
