import { asOfToday, masked, withoutManagers } from './masked.js';
import { type Exchange, RECORDED_VERSIONS, type RecordedVersion, recording } from './recordings.js';
import { type Answer, type RecordedObject, ReplayServer } from './replay-server.js';

let server: ReplayServer;
beforeEach(async () => {
  server = new ReplayServer();
  await server.start();
});
afterEach(async () => {
  await server.close();
  expect(server.problems).toEqual([]);
});

type Change = (text: string) => string;
const unchanged: Change = (text) => text;

const legible = (text: string): readonly unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

/** The whole body, byte for byte, but for what {@link masked} leaves out. */
function expectRecorded(exchange: Exchange, { status, body }: Answer, version: RecordedVersion, change: Change = unchanged): void {
  const { request_method: method, request_url: url, response_status_code: code, response_body: recorded } = exchange;
  const request = `${method} ${url}`;
  const [ours, theirs] = [masked(change(body)), masked(change(asOfToday(recorded, version)))];
  // Legible first; then the bytes.
  expect({ request, status, body: legible(ours) }).toEqual({ request, status: code, body: legible(theirs) });
  expect(ours).toBe(theirs);
}

/** Requests that were repeated until something had happened: the last of a row is the one that counts. */
const withoutPolls = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ request_method: method, request_url: url }, index) => method !== 'GET' || exchanges[index + 1]?.request_url !== url);

const only = (exchanges: readonly Exchange[]): Exchange => exchanges[0] as Exchange;

function itemsOf({ response_body: body }: Exchange, kind: string): readonly RecordedObject[] {
  const { apiVersion, items } = JSON.parse(body) as { apiVersion: string; items: readonly RecordedObject[] };
  return items.map((item) => ({ ...item, apiVersion, kind }));
}

/** A request came while the definition was being established: here it is waited for. */
const established: Change = (text) =>
  text.replace(
    /"status":"False","lastTransitionTime":"([^"]*)","reason":"Installing"/,
    '"status":"True","lastTransitionTime":"$1","reason":"InitialNamesAccepted"',
  );

/** Pods have a generation since 1.33. */
const podChange = (version: RecordedVersion): Change =>
  version < 'v1-33' ? (text) => withoutManagers(text).replaceAll('"generation":1,', '') : withoutManagers;

describe.each(RECORDED_VERSIONS)('recorded of Kubernetes %s', (version) => {
  test('the life of a definition', async () => {
    const exchanges = withoutPolls(recording(version, 'custom_resource_definition-test'));
    expect(exchanges).toHaveLength(14);
    for (const [index, exchange] of exchanges.entries()) {
      expectRecorded(exchange, await server.replay(exchange), version, index === 1 ? established : unchanged);
    }
  });

  test('a Deployment under each kind of patch, and its pods', async () => {
    const exchanges = recording(version, 'patch-deployment');
    expect(exchanges).toHaveLength(6);
    for (const exchange of exchanges.slice(0, -1)) expectRecorded(exchange, await server.replay(exchange), version);
    const pods = exchanges[5] as Exchange;
    for (const pod of itemsOf(pods, 'Pod')) await server.store(pod);
    expectRecorded(pods, await server.replay(pods), version, podChange(version));
  });

  test('a Job that fails', async () => {
    const exchanges = recording(version, 'job-create');
    for (const exchange of exchanges) {
      const { request_method: method, request_url: url, response_body: body } = exchange;
      const isPods = url.startsWith('/api/v1/');
      // What the controllers of the recorded cluster did meanwhile.
      if (method === 'GET' && !isPods) await server.report(JSON.parse(body) as RecordedObject);
      for (const pod of isPods ? itemsOf(exchange, 'Pod') : []) await (method === 'GET' ? server.store(pod) : server.orphan(pod));
      expectRecorded(exchange, await server.replay(exchange), version, isPods ? podChange(version) : unchanged);
    }
  });

  test('Deployments that are there', async () => {
    const exchange = only(recording(version, 'deployment-list'));
    for (const deployment of itemsOf(exchange, 'Deployment')) await server.store(deployment);
    expectRecorded(exchange, await server.replay(exchange), version, withoutManagers);
  });

  test('pods that are there, in lists and in both kinds of watches', async () => {
    const exchanges = ['pod-list', 'watch_event-watch_pods', 'watch_event-watch_pods_without_initial_events'].map((name) =>
      only(recording(version, name)),
    );
    for (const pod of itemsOf(exchanges[0] as Exchange, 'Pod')) await server.store(pod);
    for (const exchange of exchanges) expectRecorded(exchange, await server.replay(exchange), version, podChange(version));
  });
});

/** The groups that are served since. */
function withoutLaterGroups(text: string): string {
  const list = JSON.parse(text) as { readonly groups: readonly { readonly name: string }[] };
  return `${JSON.stringify({ ...list, groups: list.groups.filter(({ name }) => name !== 'storagemigration.k8s.io') })}\n`;
}

describe('recorded of Kubernetes v1-34 alone', () => {
  test('the API groups', async () => {
    const exchange = only(recording('v1-34', 'api_versions-list'));
    expectRecorded(exchange, await server.replay(exchange), 'v1-34', withoutLaterGroups);
  });
});
