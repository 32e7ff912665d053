import { type CustomResourceModel, defineCustomResource } from 'keelson';
import { z } from 'zod';
import type { HttpAnswer, HttpRequest } from '../../../src/runtime/http/index.js';
import { SchemaReview } from '../../../src/runtime/served-schemas/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { MemoryLog } from '../harness/running-controller.js';

const SPEC = { type: 'object', properties: { size: { type: 'integer' } } };
const Widget = defineCustomResource({
  group: 'example.com',
  kind: 'Widget',
  versions: {
    v1: {
      spec: z.object({ size: z.int(), colour: z.string().optional() }),
      status: z.object({ nodes: z.array(z.string()) }),
      storage: true,
    },
    v2: { spec: z.object({ size: z.int(), colour: z.string().optional() }), status: z.object({ nodes: z.array(z.string()) }) },
    v0: { spec: z.object({}), served: false },
  },
});
const Gadget = defineCustomResource({ group: 'example.com', kind: 'Gadget', versions: { v1: { spec: z.object({ size: z.int() }) } } });

type Answer = Pick<HttpAnswer, 'status'> & { readonly body?: unknown; readonly tag?: string };

const schemaOf = (resource: CustomResourceModel, version: string): object =>
  resource.versionList.find(({ name }) => name === version)?.schema as object;

/** The document of a group and version, with the schema of each kind. */
function documentOf(version: string, kinds: Readonly<Record<string, object>>): string {
  const schemas = Object.entries(kinds).map(([kind, schema]) => [
    `com.example.${version}.${kind}`,
    { ...schema, 'x-kubernetes-group-version-kind': [{ group: 'example.com', version, kind }] },
  ]);
  return JSON.stringify({ openapi: '3.0.0', components: { schemas: Object.fromEntries(schemas) } });
}

const whole = (version: 'v1' | 'v2'): Answer => ({
  status: 200,
  tag: '"whole"',
  body: documentOf(version, {
    Widget: schemaOf(Widget.customResource, version),
    ...(version === 'v1' ? { Gadget: schemaOf(Gadget.customResource, version) } : {}),
  }),
});
const older = (version: 'v1' | 'v2'): Answer => ({
  status: 200,
  tag: '"older"',
  body: documentOf(version, {
    Widget: { type: 'object', properties: { spec: SPEC } },
    ...(version === 'v1' ? { Gadget: schemaOf(Gadget.customResource, version) } : {}),
  }),
});

/** An API server of one path, whose answer a test changes. */
class Documents {
  readonly asked: HttpRequest[] = [];
  answer: (version: 'v1' | 'v2', request: HttpRequest) => Answer | Error;

  constructor(answer: Documents['answer']) {
    this.answer = answer;
  }

  readonly transport = {
    request: async (request: HttpRequest): Promise<HttpAnswer> => {
      this.asked.push(request);
      const answer = this.answer(request.path.split('/').at(-1) as 'v1' | 'v2', request);
      if (answer instanceof Error) throw answer;
      const { status, body = '', tag } = answer;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, headers: tag === undefined ? {} : { etag: tag }, body: Buffer.from(text), warnings: [] };
    },
  } as never;
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

function begin(documents: Documents, resources: readonly CustomResourceModel[] = [Widget.customResource, Gadget.customResource]) {
  const [clock, log, stop] = [new FakeClock(), new MemoryLog(), new AbortController()];
  const counts: Record<string, number> = {};
  const observer = { missing: (crd: string, count: number): void => void Object.assign(counts, { [crd]: count }) };
  const review = new SchemaReview({ client: documents, clock, log, resources, observer });
  const ended = review.run(stop.signal);
  const after = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settled();
  };
  return { clock, log, counts, review, ended, after, stop: () => stop.abort() };
}

const MISSING = ['v2 spec.colour', 'v2 status', 'v1 spec.colour', 'v1 status'];

test('nothing is asked before the term is ten seconds old: the start belongs to the caches', async () => {
  const documents = new Documents(whole);
  const { after, stop, ended, clock } = begin(documents);
  await after(9_999);
  expect(documents.asked).toEqual([]);
  await after(1);
  expect(documents.asked.map(({ path }) => path).sort()).toEqual(['/openapi/v3/apis/example.com/v1', '/openapi/v3/apis/example.com/v2']);
  stop();
  await ended;
  expect(clock.pending).toBe(0);
});

test('a schema that has everything is not spoken of', async () => {
  const { after, log, counts } = begin(new Documents(whole));
  await after(10_000);
  expect(log.lines).toEqual([]);
  expect(counts).toEqual({ 'widgets.example.com': 0, 'gadgets.example.com': 0 });
});

test('2E-3: fields of the spec and of the status that an older CustomResourceDefinition lacks stand in one entry, with the version and the cure', async () => {
  const documents = new Documents(older);
  const { after, log, counts } = begin(documents);
  await after(10_000);
  expect(log.lines).toEqual([
    {
      level: 'warn',
      message:
        'Widget: the CustomResourceDefinition on the cluster is not of this release: it lacks v2 spec.colour, v2 status, v1 spec.colour, v1 status. ' +
        'The API server drops fields that it does not know. Apply widgets.example.com of this release: ' +
        'kubectl apply --server-side --force-conflicts -f FILE, or upgrade the chart with crds.enabled=true',
      fields: { crd: 'widgets.example.com', missing: MISSING },
    },
  ]);
  expect(counts).toEqual({ 'widgets.example.com': MISSING.length, 'gadgets.example.com': 0 });
  await after(60_000);
  await after(60_000);
  expect(documents.asked).toHaveLength(6);
  expect(log.lines).toHaveLength(1);
});

test('a document that has not changed is not read again', async () => {
  const documents = new Documents((version, { headers = {} }) =>
    headers['if-none-match'] === '"older"' ? { status: 304 } : older(version),
  );
  const { after, log, counts } = begin(documents);
  await after(10_000);
  await after(60_000);
  expect(documents.asked.map(({ headers }) => headers?.['if-none-match'])).toEqual([undefined, undefined, '"older"', '"older"']);
  expect(log.lines).toHaveLength(1);
  expect(counts['widgets.example.com']).toBe(MISSING.length);
});

test('a CustomResourceDefinition that is upgraded is said to be whole within a minute, and then looked at every ten', async () => {
  const documents = new Documents(older);
  const { after, log, counts } = begin(documents);
  await after(10_000);
  documents.answer = whole;
  await after(60_000);
  expect(log.texts.slice(1)).toEqual(['info Widget: the CustomResourceDefinition on the cluster lacks nothing any more']);
  expect(counts['widgets.example.com']).toBe(0);
  const { length } = documents.asked;
  await after(599_999);
  expect(documents.asked).toHaveLength(length);
  documents.answer = older;
  await after(1);
  expect(log.texts).toHaveLength(3);
});

test('a version that the cluster does not serve is named beside one that it serves', async () => {
  const documents = new Documents((version) => (version === 'v2' ? { status: 404 } : whole('v1')));
  const { after, log } = begin(documents);
  await after(10_000);
  expect(log.lines.map(({ fields }) => fields['missing'])).toEqual([['v2, the version itself']]);
});

test('a kind that is not installed is left to the cache', async () => {
  const documents = new Documents((version) =>
    version === 'v2' ? { status: 404 } : { status: 200, body: documentOf('v1', { Gadget: schemaOf(Gadget.customResource, 'v1') }) },
  );
  const { after, log, counts } = begin(documents);
  await after(10_000);
  expect(log.lines).toEqual([]);
  expect(counts).toEqual({ 'gadgets.example.com': 0 });
});

test.each<readonly [string, () => Answer | Error]>([
  ['a refusal', () => ({ status: 403, body: { kind: 'Status' } })],
  ['a server in trouble', () => ({ status: 500 })],
  ['no connection', () => new Error('refused')],
  ['what is no JSON', () => ({ status: 200, body: '<html>' })],
  ['what is no document', () => ({ status: 200, body: { components: [] } })],
])('%s is said at debug alone, forgets nothing, and is asked again', async (_, trouble) => {
  const documents = new Documents(older);
  const { after, log, counts, stop, ended } = begin(documents);
  await after(10_000);
  documents.answer = trouble;
  await after(60_000);
  expect(log.texts.slice(1).every((text) => text.startsWith('debug '))).toBe(true);
  expect(log.texts.length).toBeGreaterThan(1);
  expect(counts['widgets.example.com']).toBe(MISSING.length);
  documents.answer = whole;
  await after(60_000);
  expect(log.texts.at(-1)).toBe('info Widget: the CustomResourceDefinition on the cluster lacks nothing any more');
  stop();
  await ended;
});

test('a group that is gone and comes back as it was is read again', async () => {
  const documents = new Documents(older);
  const { after, log } = begin(documents);
  await after(10_000);
  documents.answer = () => ({ status: 404 });
  await after(60_000);
  documents.answer = (version, { headers = {} }) => (headers['if-none-match'] === undefined ? whole(version) : { status: 304 });
  await after(60_000);
  expect(log.texts.at(-1)).toBe('info Widget: the CustomResourceDefinition on the cluster lacks nothing any more');
});

test('schemas of other kinds, groups and versions in the document are none of the kind', async () => {
  const lacking = { type: 'object', properties: {} };
  const named = (...kinds: unknown[]): object => ({ ...lacking, 'x-kubernetes-group-version-kind': kinds });
  const documents = new Documents((version) => {
    const document = JSON.parse(String(whole(version).body)) as { components: { schemas: Record<string, unknown> } };
    Object.assign(document.components.schemas, {
      'another.group': named({ group: 'another.com', version, kind: 'Widget' }),
      'another.version': named({ group: 'example.com', version: 'v3', kind: 'Widget' }),
      'another.kind': named({ group: 'example.com', version, kind: 'DeleteOptions' }),
      'without.kind': named({ group: 'example.com', version }, null, 'Widget'),
      'without.list': { ...lacking, 'x-kubernetes-group-version-kind': { group: 'example.com', version, kind: 'Widget' } },
      'without.name': lacking,
      'no.schema': null,
    });
    return { status: 200, body: document };
  });
  const { after, log, counts } = begin(documents);
  await after(10_000);
  expect(log.lines).toEqual([]);
  expect(counts).toEqual({ 'widgets.example.com': 0, 'gadgets.example.com': 0 });
});

test('a document is asked for as JSON, by its group and version', async () => {
  const documents = new Documents(whole);
  const { after } = begin(documents, [Gadget.customResource]);
  await after(10_000);
  expect(documents.asked).toMatchObject([
    { method: 'GET', path: '/openapi/v3/apis/example.com/v1', headers: { accept: 'application/json' } },
  ]);
});

test('of exactly twenty fields the text names all', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
  const Wide = defineCustomResource({
    group: 'example.com',
    kind: 'Wide',
    versions: { v1: { spec: z.object(Object.fromEntries(names.map((name) => [name, z.string().optional()]))) } },
  });
  const body = documentOf('v1', { Wide: { type: 'object', properties: { spec: { type: 'object', properties: {} } } } });
  const { after, log } = begin(new Documents(() => ({ status: 200, body })), [Wide.customResource]);
  await after(10_000);
  expect(log.texts[0]).toContain('v1 spec.f19. The API server');
});

test('a document that cannot be read is said with the reason', async () => {
  const documents = new Documents(() => ({ status: 403 }));
  const { after, log } = begin(documents, [Gadget.customResource]);
  await after(10_000);
  documents.answer = () => ({ status: 200, body: '<html>' });
  await after(600_000);
  documents.answer = () => new Error('refused');
  await after(600_000);
  const message = 'the served schemas cannot be read; they are not compared with the definitions';
  expect(log.lines).toEqual(
    ['status 403', 'the answer is no OpenAPI document', 'refused'].map((why) => ({
      level: 'debug',
      message,
      fields: { apiVersion: 'example.com/v1', why },
    })),
  );
});

test('an answer is bounded in size and time', async () => {
  const documents = new Documents(whole);
  const { after } = begin(documents);
  await after(10_000);
  expect(documents.asked[0]).toMatchObject({ maxResponseBytes: 8 * 1024 * 1024, deadlineMs: 30_000 });
});

test('of very many fields the text names twenty', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `f${index}`);
  const Wide = defineCustomResource({
    group: 'example.com',
    kind: 'Wide',
    versions: { v1: { spec: z.object(Object.fromEntries(names.map((name) => [name, z.string().optional()]))) } },
  });
  const body = documentOf('v1', { Wide: { type: 'object', properties: { spec: { type: 'object', properties: {} } } } });
  const { after, log } = begin(new Documents(() => ({ status: 200, body })), [Wide.customResource]);
  await after(10_000);
  expect(log.texts[0]).toContain('v1 spec.f19, and 5 more. The API server');
  expect(log.lines[0]?.fields['missing']).toHaveLength(25);
});

test('a term that ends takes its count away, and the next one says it anew', async () => {
  const documents = new Documents(older);
  const { after, log, counts, stop, ended, review, clock } = begin(documents);
  await after(10_000);
  stop();
  await ended;
  expect(counts['widgets.example.com']).toBe(0);
  const again = new AbortController();
  const running = review.run(again.signal);
  clock.advance(10_000);
  await settled();
  expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(2);
  again.abort();
  await running;
});

test('an end amid a request is not spoken of', async () => {
  const documents = new Documents(older);
  const { after, log, stop, ended } = begin(documents);
  documents.answer = () => {
    stop();
    return new Error('aborted');
  };
  await after(10_000);
  await ended;
  expect(log.lines).toEqual([]);
});

test('an operator without custom resources asks for nothing', async () => {
  const documents = new Documents(whole);
  const { ended, clock } = begin(documents, []);
  await ended;
  expect([documents.asked, clock.pending]).toEqual([[], 0]);
});
