import type { OpenApiSchema } from '../../src/api-server/values/apply/index.js';
import { applyStrategicMergePatch, PatchType } from '../../src/api-server/values/strategic-merge/index.js';
import {
  applyJsonPatch,
  applyMergePatch,
  goJson,
  type Json,
  type JsonObject,
  type PatchRefusal,
  PatchRefused,
  unknownJsonPatchFields,
} from '../../src/kubernetes/apimachinery/index.js';
import { Random } from '../api-server/values/apply/differential/random.js';
import { patchedDeployment, randomStrategicPatch } from '../api-server/values/strategic-merge/random-strategic-patch.js';
import { eventually } from '../eventually.js';
import {
  freeGround,
  type PatchGround,
  randomJsonPatch,
  randomMergePatch,
  textGround,
} from '../kubernetes/apimachinery/patch/random-patches.js';
import { type ApiResponse, describeCluster, SharedCluster } from './harness/index.js';

/** Another seed finds other things; what it finds is repeated by naming it here. */
const SEED = Number(process.env['PATCH_SEED'] ?? 20_260_102);
const STEPS = Number(process.env['PATCH_STEPS'] ?? 150);

type FieldValidation = 'Warn' | 'Ignore';
type PatchKind = 'json-patch' | 'merge-patch' | 'strategic-merge-patch';

interface Subject {
  readonly path: string;
  readonly object: Json;
  readonly kinds: readonly PatchKind[];
  readonly patch: (random: Random, live: JsonObject, kind: PatchKind) => Json;
  readonly type?: PatchType;
}

type Ours = { readonly object: Json } | { readonly refusal: PatchRefusal };

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sheets.patch.example.com' },
  spec: {
    group: 'patch.example.com',
    scope: 'Cluster',
    names: { plural: 'sheets', singular: 'sheet', kind: 'Sheet', listKind: 'SheetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
        },
      },
    ],
  },
};

/** A server without controllers: nobody else writes to the objects. */
describeCluster('patches', (): void => {
  let cluster: SharedCluster;
  beforeAll(async () => {
    cluster = SharedCluster.take('bare');
    await cluster.must('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    const isServed = async (): Promise<boolean> => (await cluster.request('GET', '/apis/patch.example.com/v1/sheets')).status === 200;
    await eventually(isServed);
  });
  afterAll(() => cluster?.stop());

  async function play(subject: Subject, seed: number): Promise<ReadonlyMap<string, number>> {
    const random = new Random(seed);
    const outcomes = new Map<string, number>();
    await cluster.must('POST', subject.path.slice(0, subject.path.lastIndexOf('/')), subject.object);
    for (let step = 0; step < STEPS; step += 1) {
      const live = await cluster.must<JsonObject>('GET', subject.path);
      const kind = random.one(subject.kinds);
      const patch = subject.patch(random, live, kind);
      const validation: FieldValidation = random.chance(0.7) ? 'Warn' : 'Ignore';
      let outcome: string;
      try {
        outcome = await compare({ subject, live, kind, patch, validation });
      } catch (error) {
        const story = JSON.stringify({ path: subject.path, seed, step, kind, validation, patch, live }, null, 1);
        throw new Error(`${error instanceof Error ? error.message : String(error)}\n${story}`, { cause: error });
      }
      outcomes.set(`${kind} ${outcome}`, (outcomes.get(`${kind} ${outcome}`) ?? 0) + 1);
    }
    return outcomes;
  }

  interface Step {
    readonly subject: Subject;
    readonly live: JsonObject;
    readonly kind: PatchKind;
    readonly patch: Json;
    readonly validation: FieldValidation;
  }

  /** Our result is given to the server as an update, so that both have been decoded and defaulted by it. */
  async function compare({ subject, live, kind, patch, validation }: Step): Promise<string> {
    const query = { fieldValidation: validation };
    const contentType = `application/${kind}+json`;
    const ours = apply({ subject, live, kind, patch, validation });
    const send = (): Promise<ApiResponse<JsonObject>> =>
      cluster.request<JsonObject>('PATCH', subject.path, JSON.stringify(patch), { query: { ...query, dryRun: 'All' }, contentType });
    if ('refusal' in ours && ours.refusal.isPanic === true) {
      await expect(send()).rejects.toThrow('socket hang up');
      return 'panic';
    }
    let theirs = await send();
    if ('refusal' in ours) {
      // The server walks Go maps: which of several problems it tells is chance.
      for (let again = 0; again < 40 && theirs.body['message'] !== ours.refusal.message; again += 1) theirs = await send();
      expectRefusal(theirs, ours.refusal);
      return `refused ${ours.refusal.status}`;
    }
    const updated = await cluster.request<JsonObject>('PUT', subject.path, JSON.stringify(ours.object), {
      query: { fieldValidation: 'Ignore', dryRun: 'All' },
    });
    if (updated.status >= 300) {
      // What is wrong with the result is told in other words by an update; that the patch applies is what counts.
      expect(theirs.status).toBeGreaterThanOrEqual(400);
      expect(theirs.body['message']).not.toBe('the server rejected our request due to an error in our request');
      return 'invalid result';
    }
    expect(contentOf(theirs)).toBe(contentOf(updated));
    await cluster.must('PATCH', subject.path, JSON.stringify(patch), { query, contentType });
    return 'success';
  }

  /** A run that meets only successes, or only refusals, has compared little. */
  function expectVariety(outcomes: ReadonlyMap<string, number>, least: Readonly<Record<string, number>>): void {
    const few = Object.entries(least).filter(([outcome, count]) => (outcomes.get(outcome) ?? 0) < count);
    expect({ few, outcomes: few.length === 0 ? [] : [...outcomes] }).toEqual({ few: [], outcomes: [] });
  }

  test('JSON and merge patches of a ConfigMap', async () => {
    const grounds = ['/data', '/metadata/labels', '/metadata/annotations'].map(textGround);
    const metadata = { name: 'patched', labels: { a: 'x' }, annotations: { a: 'x' } };
    const outcomes = await play(
      {
        path: '/api/v1/namespaces/default/configmaps/patched',
        object: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'x' } },
        kinds: ['json-patch', 'merge-patch'],
        patch: (random, live, kind) => patchOf(random, live, { kind, ground: random.one(grounds) }),
      },
      SEED,
    );
    expectVariety(outcomes, {
      'json-patch success': 10,
      'json-patch refused 422': 10,
      'merge-patch success': 20,
      'merge-patch refused 400': 1,
    });
  });

  test('JSON and merge patches of a custom resource that may hold anything', async () => {
    const ground = freeGround();
    const outcomes = await play(
      {
        path: '/apis/patch.example.com/v1/sheets/patched',
        object: { apiVersion: 'patch.example.com/v1', kind: 'Sheet', metadata: { name: 'patched' }, spec: { a: [1, { b: null }], c: {} } },
        kinds: ['json-patch', 'json-patch', 'merge-patch'],
        patch: (random, live, kind) => patchOf(random, live, { kind, ground }),
      },
      SEED + 1,
    );
    expectVariety(outcomes, {
      'json-patch success': 20,
      'json-patch refused 422': 20,
      'json-patch refused 400': 1,
      'merge-patch success': 20,
    });
  });

  test('strategic merge patches of a Deployment', async () => {
    const document = await cluster.must<{ components: { schemas: Record<string, OpenApiSchema> } }>('GET', '/openapi/v3/apis/apps/v1');
    const type = PatchType.of('io.k8s.api.apps.v1.Deployment', (name) => document.components.schemas[name]);
    const outcomes = await play(
      {
        path: '/apis/apps/v1/namespaces/default/deployments/patched',
        object: patchedDeployment('patched'),
        kinds: ['strategic-merge-patch'],
        patch: randomStrategicPatch,
        type,
      },
      SEED + 2,
    );
    const kind = 'strategic-merge-patch';
    expectVariety(outcomes, {
      [`${kind} success`]: 20,
      [`${kind} refused 400`]: 3,
      [`${kind} refused 500`]: 10,
      [`${kind} invalid result`]: 1,
    });
  });

  test('the copy of a null that the patch itself has set panics, and so do all cases of that class', async () => {
    const path = '/apis/patch.example.com/v1/sheets/panics';
    await cluster.must('POST', '/apis/patch.example.com/v1/sheets', { ...definitionOf('panics'), spec: { list: [null] } });
    const patches: Json[] = [
      [
        { op: 'add', path: '/spec/a', value: null },
        { op: 'copy', from: '/spec/a', path: '/spec/b' },
        { op: 'add', path: '/spec/b/c', value: 1 },
      ],
      [{ op: 'test', path: '/spec/list', value: [null] }],
      [{ op: 'replace', path: '' }],
    ];
    const live = await cluster.must<JsonObject>('GET', path);
    const subject: Subject = { path, object: null, kinds: ['json-patch'], patch: () => null };
    for (const patch of patches) {
      expect(await compare({ subject, live, kind: 'json-patch', patch, validation: 'Warn' })).toBe('panic');
    }
    const harmless: Json[] = [
      [
        { op: 'add', path: '/spec/a', value: null },
        { op: 'add', path: '/spec/a/b', value: 1 },
      ],
      [{ op: 'test', path: '/spec/nothing' }],
    ];
    for (const patch of harmless) {
      expect(await compare({ subject, live, kind: 'json-patch', patch, validation: 'Warn' })).not.toBe('panic');
    }
  });

  test('too many operations, too much copied, unknown fields', async () => {
    const path = '/apis/patch.example.com/v1/sheets/limits';
    await cluster.must('POST', '/apis/patch.example.com/v1/sheets', { ...definitionOf('limits'), spec: { a: ['x'] } });
    const live = await cluster.must<JsonObject>('GET', path);
    const subject: Subject = { path, object: null, kinds: ['json-patch'], patch: () => null };
    const many = Array.from({ length: 10_001 }, () => ({ op: 'add', path: '/spec/b', value: 1 }));
    expect(await compare({ subject, live, kind: 'json-patch', patch: many, validation: 'Warn' })).toBe('refused 413');
    const doubling = Array.from({ length: 30 }, () => ({ op: 'copy', from: '/spec/a', path: '/spec/a/-' }));
    expect(await compare({ subject, live, kind: 'json-patch', patch: doubling, validation: 'Warn' })).toBe('refused 422');
    const unknown = [{ op: 'add', path: '/spec/b', value: 1, foo: 1, bar: 2 }];
    const { status, warnings } = await cluster.request('PATCH', path, unknown, {
      contentType: 'application/json-patch+json',
      query: { dryRun: 'All' },
    });
    expect({ status, warnings: [...warnings].sort() }).toEqual({ status: 200, warnings: unknownJsonPatchFields(unknown) });
  });

  test('the one known difference: the server compares texts and numbers as they are spelled', async () => {
    const path = '/apis/patch.example.com/v1/sheets/spelling';
    await cluster.must('POST', '/apis/patch.example.com/v1/sheets', { ...definitionOf('spelling'), spec: { text: '<', number: 1 } });
    const live = await cluster.must<JsonObject>('GET', path);
    const options = { contentType: 'application/json-patch+json', query: { dryRun: 'All' } };
    const statusOf = async (value: string, field: string): Promise<number> => {
      const text = `[{"op":"test","path":"/spec/${field}","value":${value}}]`;
      expect(applyJsonPatch(live, JSON.parse(text) as Json)).toEqual(live);
      return (await cluster.request('PATCH', path, text, options)).status;
    };
    expect([await statusOf('"<"', 'text'), await statusOf('"\\u003c"', 'text')]).toEqual([422, 200]);
    expect([await statusOf('1.0', 'number'), await statusOf('1', 'number')]).toEqual([422, 200]);
  });
});

const definitionOf = (name: string): JsonObject => ({ apiVersion: 'patch.example.com/v1', kind: 'Sheet', metadata: { name } });

function patchOf(random: Random, live: Json, { kind, ground }: { kind: PatchKind; ground: PatchGround }): Json {
  return kind === 'json-patch' ? randomJsonPatch(random, live, ground) : randomMergePatch(random, ground);
}

function apply({
  subject,
  live,
  kind,
  patch,
  validation,
}: {
  subject: Subject;
  live: JsonObject;
  kind: PatchKind;
  patch: Json;
  validation: FieldValidation;
}): Ours {
  try {
    if (kind === 'json-patch') return { object: applyJsonPatch(live, patch, { fieldValidation: validation }) };
    if (kind === 'merge-patch') return { object: applyMergePatch(live, patch, { fieldValidation: validation }) };
    return { object: applyStrategicMergePatch(live, patch, subject.type as PatchType) };
  } catch (error) {
    if (error instanceof PatchRefused) return { refusal: error.refusal };
    throw error;
  }
}

function expectRefusal({ status, body }: ApiResponse<JsonObject>, refusal: PatchRefusal): void {
  const { message, reason, code } = body;
  expect({ status, message, reason, code }).toEqual({
    status: refusal.status,
    message: refusal.message,
    reason: refusal.reason,
    code: refusal.status,
  });
}

/** As one text: keys may be called `__proto__`. Who manages which field depends on the kind of the write. */
function contentOf({ status, body }: ApiResponse<JsonObject>): string {
  const { managedFields: _managedFields, resourceVersion: _resourceVersion, ...metadata } = body['metadata'] as JsonObject;
  return `${status} ${goJson({ ...body, metadata })}`;
}
