import { draftOf } from '../../../../src/api-server/contract/index.js';
import { builtinResources } from '../../../../src/api-server/kinds/builtin/index.js';
import { workOf } from '../../../work/work-of.js';
import { context, served, surroundings } from './surroundings.js';

const resources = builtinResources(surroundings);
const leases = served(resources, { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' });
const volumes = served(resources, { group: 'storage.k8s.io', version: 'v1', plural: 'volumeattachments' });

test('only what a server serves by default: no beta, no alpha', () => {
  const versions = new Set(resources.flatMap(({ group, versions: all }) => all.map(({ version }) => `${group}/${version}`)));
  expect(versions.size).toBe(23);
  expect([...versions].filter((version) => /alpha|beta/.test(version))).toEqual([]);
  expect(resources.length).toBeGreaterThan(60);
});

test('making them all costs a server that starts next to nothing', () => {
  builtinResources(surroundings);
  const work = workOf(() => {
    builtinResources(surroundings);
  });
  // Measured: 2; reading one kind of everything costs more than 100.
  expect(work).toBeLessThan(50);
});

test('each kind has a strategy, an endpoint with types, and patch rules', () => {
  for (const { versions, kind } of resources) {
    for (const version of versions) {
      if (version.handle !== undefined || (kind === 'HorizontalPodAutoscaler' && version.version === 'v1')) continue;
      const { empty } = version.strategy;
      expect(empty['kind']).toBe(kind);
      const endpoint = version.endpoint('');
      expect(endpoint.typeAt(endpoint.apiVersion)?.atom.map).toBeDefined();
      expect(version.patchType?.kind).toBe('struct');
    }
  }
});

test('a body that is not such an object is refused in the words of the server', () => {
  expect(() => leases.strategy.decode({ spec: { leaseDurationSeconds: 'x' } })).toThrow(
    'Lease in version "v1" cannot be handled as a Lease: json: cannot unmarshal string into Go struct field LeaseSpec.spec.leaseDurationSeconds of type int32',
  );
});

test('a body may leave out what it is, and comes out in the order of Go', () => {
  const { draft, strictProblems } = leases.strategy.decode({ spec: { holderIdentity: 'a', color: 1 }, metadata: { name: 'x' } });
  expect(JSON.stringify(draft)).toBe(
    '{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"x"},"spec":{"holderIdentity":"a"}}',
  );
  expect(strictProblems).toEqual(['unknown field "spec.color"']);
});

describe('a kind without a behaviour', () => {
  const { draft } = volumes.strategy.decode({
    metadata: { name: 'a', generation: 7 },
    spec: { attacher: 'x', nodeName: 'n', source: { persistentVolumeName: 'v' } },
    status: { attached: true },
  });
  const created = draftOf(draft);
  void volumes.strategy.prepareForCreate(created, context);

  test('starts at generation 1 with the status of nobody', () => {
    expect(created).toMatchObject({ metadata: { generation: 1 }, status: { attached: false } });
  });

  test('counts a changed spec as a generation, and keeps its status', () => {
    const update = draftOf({ ...created, status: { attached: true } });
    void volumes.strategy.prepareForUpdate(update, created, context);
    expect(update).toEqual(created);
    const changed = draftOf({ ...created, spec: { attacher: 'y', nodeName: 'n', source: { persistentVolumeName: 'v' } } });
    void volumes.strategy.prepareForUpdate(changed, created, context);
    expect(changed['metadata']).toMatchObject({ generation: 2 });
  });

  test('keeps its spec on an update of the status', () => {
    const update = draftOf({ ...created, spec: { attacher: 'y', nodeName: 'n', source: {} }, status: { attached: true } });
    void volumes.status?.prepareForUpdate(update, created, context);
    expect(update).toEqual({ ...created, status: { attached: true } });
  });
});

test('what keeps no objects and has no handler is refused by name', async () => {
  const reviews = served(resources, { group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews' });
  const request = { verb: 'create', namespace: '', name: '', body: {}, query: new URLSearchParams() } as const;
  await expect(reviews.handle?.(request, context)).rejects.toThrow('tokenreviews.authentication.k8s.io is not implemented');
  const exec = served(resources, { group: '', version: 'v1', plural: 'pods' }).subresources.find(({ name }) => name === 'exec');
  await expect(exec?.handle?.(request, context)).rejects.toThrow('pods/exec is not implemented');
});

test('a handler takes the place of the refusal', async () => {
  const answer = { code: 201, body: 'yes' };
  const [subject] = builtinResources(surroundings, { handlers: { 'pods/eviction': async () => answer } }).filter(
    ({ plural }) => plural === 'pods',
  );
  const eviction = subject?.versions[0]?.subresources.find(({ name }) => name === 'eviction');
  const request = { verb: 'create', namespace: '', name: '', body: {}, query: new URLSearchParams() } as const;
  expect(await eviction?.handle?.(request, context)).toBe(answer);
});
