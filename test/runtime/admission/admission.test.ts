import { defaulting, defineCustomResource, mutating, validating } from 'keelson';
import { Pod } from 'keelson/kinds';
import { z } from 'zod';
import { applyJsonPatch } from '../../../src/kubernetes/apimachinery/index.js';
import { Cache, cacheObject } from './kinds.js';
import { patchOf, responseOf, review, Served, stopAll } from './served.js';

afterEach(stopAll);

const DEFAULTING = '/defaulting/cache.example.com/v1/caches';
const VALIDATING = '/validating/cache.example.com/v1/caches';
const created = (spec: object, version = 'v1'): object => review({ object: cacheObject(version, spec) });

/** Each item takes eight kilobytes of memory when its default is filled in. */
const Wide = defineCustomResource({
  group: 'wide.example.com',
  kind: 'Wide',
  versions: { v1: { spec: z.object({ items: z.array(z.object({ text: z.string().default('x'.repeat(1_000)) })) }) } },
});
const wide = (item: object): object => ({
  apiVersion: 'wide.example.com/v1',
  kind: 'Wide',
  metadata: { name: 'a', namespace: 'team' },
  spec: { items: Array.from({ length: 1_000 }, () => item) },
});

describe('changing objects (W3, W5)', () => {
  test('what the handler changes in place becomes a JSON Patch, and nothing else', async () => {
    const served = await Served.start([
      defaulting(Cache, (cache) => {
        cache.metadata.labels = { team: 'a' };
        cache.spec.mode ??= 'slow';
      }),
    ]);
    const answer = await served.post(`${DEFAULTING}?timeout=5s`, created({ size: 5, unknown: { kept: [1] } }));
    expect(answer.json).toMatchObject({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      response: { uid: 'u-1', allowed: true },
    });
    expect(responseOf(answer).patchType).toBe('JSONPatch');
    expect(patchOf(answer)).toEqual([
      { op: 'add', path: '/metadata/labels', value: { team: 'a' } },
      { op: 'add', path: '/spec/mode', value: 'slow' },
    ]);
  });

  test('a new object that is returned counts, with what JSON makes of it', async () => {
    const served = await Served.start([
      mutating(Cache, { apply: (cache) => ({ ...cache, spec: { ...cache.spec, size: 7, mode: undefined, when: new Date(0) } as never }) }),
    ]);
    const path = '/mutating/cache.example.com/v1/caches';
    const before = cacheObject('v1', { size: 5, mode: 'x' });
    const patch = patchOf(await served.post(path, review({ object: before })));
    const after = applyJsonPatch(before as never, patch as never, {} as never);
    expect(after).toMatchObject({ spec: { size: 7, when: '1970-01-01T00:00:00.000Z' } });
    expect((after as { spec: object }).spec).not.toHaveProperty('mode');
  });

  test('an object that stays as it is gets no patch, though a default of its schema was missing', async () => {
    const seen: unknown[] = [];
    const served = await Served.start([defaulting(Cache, (cache) => void seen.push(cache.spec.size))]);
    const response = responseOf(await served.post(DEFAULTING, created({})));
    expect([response, seen]).toEqual([{ uid: 'u-1', allowed: true }, [3]]);
  });

  test('labels, annotations and finalizers may change; what an object is called may not', async () => {
    let change: (metadata: Record<string, unknown>) => void = () => undefined;
    const served = await Served.start([
      defaulting(Cache, ({ metadata }) => {
        change(metadata as never);
      }),
    ]);
    change = (metadata) => Object.assign(metadata, { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['e/f'] });
    expect(patchOf(await served.post(DEFAULTING, created({ size: 1 })))).toHaveLength(3);
    for (const field of ['name', 'namespace', 'uid']) {
      change = (metadata) => Object.assign(metadata, { [field]: 'other' });
      const answer = await served.post(DEFAULTING, created({}));
      expect([answer.status, answer.text]).toEqual([500, expect.stringContaining(`changed metadata.${field} to "other"; it must stay`)]);
    }
    change = (metadata) => Object.assign(metadata, { name: 'given' });
    const unnamed = cacheObject('v1', {}, { name: undefined, generateName: 'a-' });
    expect(responseOf(await served.post(DEFAULTING, review({ object: unnamed }))).allowed).toBe(true);
  });

  test('an update has the stored object, a dry run says so, and who asks is told', async () => {
    const seen: object[] = [];
    const served = await Served.start([
      mutating(Pod, {
        apply: (pod, { operation, old, dryRun, userInfo, namespace }) => {
          seen.push({ operation, old: old?.metadata.name, dryRun, userInfo, namespace, name: pod.metadata.name });
        },
      }),
    ]);
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'team' } };
    const response = await served.post('/mutating/core/v1/pods', review({ operation: 'UPDATE', object, oldObject: object, dryRun: true }));
    expect(responseOf(response).allowed).toBe(true);
    const userInfo = { username: 'jane', groups: ['a', 'b'], extra: { scope: ['x'] } };
    expect(seen).toEqual([{ operation: 'UPDATE', old: 'p', dryRun: true, userInfo, namespace: 'team', name: 'p' }]);
  });

  test('a subresource carries an object of another kind, as it is', async () => {
    const seen: unknown[] = [];
    const served = await Served.start([mutating(Cache, { subresource: 'status', apply: (object) => void seen.push(object) })]);
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a', namespace: 'team' }, spec: { replicas: 1 } };
    const path = '/mutating/cache.example.com/v1/caches/status';
    expect(responseOf(await served.post(path, review({ operation: 'UPDATE', object: scale, oldObject: scale }))).allowed).toBe(true);
    expect(seen).toEqual([scale]);
  });

  test('the options of a call have no metadata; the context names the pod', async () => {
    const seen: unknown[] = [];
    const served = await Served.start([
      validating(
        Pod,
        ({ kind, command, tty = false }, { operation, name, namespace }) => {
          seen.push({ kind, command, operation, name, namespace });
          return tty ? [{ path: 'tty', message: 'no shells here', type: 'Forbidden' }] : [];
        },
        { subresource: 'exec' },
      ),
    ]);
    const options = { kind: 'PodExecOptions', apiVersion: 'v1', container: 'main', command: ['sh'] };
    const ask = (object: object) =>
      served.post('/validating/core/v1/pods/exec', review({ operation: 'CONNECT', object, name: 'p', namespace: 'team' }));
    expect(responseOf(await ask(options)).allowed).toBe(true);
    expect(seen).toEqual([{ kind: 'PodExecOptions', command: ['sh'], operation: 'CONNECT', name: 'p', namespace: 'team' }]);
    expect(responseOf(await ask({ ...options, tty: true }))).toMatchObject({
      allowed: false,
      status: { message: 'PodExecOptions "p" is invalid: tty: Forbidden: no shells here' },
    });
  });

  test('a webhook of several kinds shows each with its own version and defaults', async () => {
    const seen: unknown[] = [];
    const served = await Served.start([
      mutating([Pod, Cache], { name: 'seen', apply: (object) => void seen.push([object.kind, object.apiVersion, { ...object.spec }]) }),
    ]);
    const ask = async (object: object) => responseOf(await served.post('/mutating/seen', review({ object })));
    expect(await ask(cacheObject('v1beta1', { replicas: 4, mode: 'x' }))).toEqual({ uid: 'u-1', allowed: true });
    expect(
      await ask({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'team' }, spec: { containers: [] } }),
    ).toMatchObject({ allowed: true });
    expect(seen).toEqual([
      ['Cache', 'cache.example.com/v1', { size: 4, mode: 'x' }],
      ['Pod', 'v1', { containers: [] }],
    ]);
  });

  test('an object in another version is seen in that of the handler, and patched in its own', async () => {
    const seen: unknown[] = [];
    const served = await Served.start([
      mutating(Cache, {
        apply: (cache) => {
          seen.push({ apiVersion: cache.apiVersion, spec: { ...cache.spec } });
          cache.spec.size += 1;
        },
      }),
    ]);
    const answer = await served.post('/mutating/cache.example.com/v1/caches', created({ replicas: 4, mode: 'x' }, 'v1beta1'));
    expect(seen).toEqual([{ apiVersion: 'cache.example.com/v1', spec: { size: 4, mode: 'x' } }]);
    expect(patchOf(answer)).toEqual([{ op: 'replace', path: '/spec/replicas', value: 5 }]);
  });

  test('what the request does not say is not there', async () => {
    const seen: Record<string, unknown>[] = [];
    const served = await Served.start([
      mutating(Cache, {
        apply: (_, context) => {
          seen.push({ ...context });
        },
      }),
    ]);
    const ask = (fields: object) =>
      served.post('/mutating/cache.example.com/v1/caches', review({ object: cacheObject('v1', { size: 1 }), ...fields }));
    await ask({ name: '', namespace: '', userInfo: undefined, dryRun: 'yes' });
    await ask({ userInfo: { username: 5, uid: 'u-jane', groups: ['a', 5, null], extra: { scope: ['x', 5], other: 'y' } } });
    await ask({ userInfo: { username: 'jane', uid: '', groups: 'a', extra: [] } });
    expect(seen.map(({ userInfo }) => userInfo)).toEqual([
      { username: '', groups: [], extra: {} },
      { username: '', uid: 'u-jane', groups: ['a'], extra: { scope: ['x'], other: [] } },
      { username: 'jane', groups: [], extra: {} },
    ]);
    expect(Object.keys(seen[0] ?? {}).sort()).toEqual(['dryRun', 'operation', 'signal', 'userInfo', 'warn']);
    expect(seen[0]).toMatchObject({ operation: 'CREATE', dryRun: false });
    expect(seen[1]).toMatchObject({ name: 'a', namespace: 'team' });
    expect(served.log.lines.filter(({ message }) => message === 'webhook answered').map(({ level, fields }) => [level, fields])).toEqual([
      ['debug', { uid: 'u-1', operation: 'CREATE', object: 'Cache team/a', allowed: true }],
      ['debug', { uid: 'u-1', operation: 'CREATE', object: 'Cache team/a', namespace: 'team', allowed: true }],
      ['debug', { uid: 'u-1', operation: 'CREATE', object: 'Cache team/a', namespace: 'team', allowed: true }],
    ]);
  });

  test('versions without conversions differ by their name alone', async () => {
    const Plain = defineCustomResource({
      group: 'plain.example.com',
      kind: 'Plain',
      versions: { v1: { storage: true, spec: z.object({ size: z.number() }) }, v1beta1: { spec: z.object({ size: z.number() }) } },
    });
    const seen: unknown[] = [];
    const served = await Served.start([
      mutating(Plain, {
        apply: (plain) => {
          seen.push(plain.apiVersion);
          plain.spec.size += 1;
        },
      }),
    ]);
    const object = {
      apiVersion: 'plain.example.com/v1beta1',
      kind: 'Plain',
      metadata: { name: 'a', namespace: 'team' },
      spec: { size: 1 },
    };
    const answer = await served.post('/mutating/plain.example.com/v1/plains', review({ object }));
    expect([patchOf(answer), seen]).toEqual([[{ op: 'replace', path: '/spec/size', value: 2 }], ['plain.example.com/v1']]);
  });

  test('defaults that take more memory than a review may have refuse the object, which passes with its defaults in it', async () => {
    const served = await Served.start([mutating(Wide, { apply: () => undefined })], { memory: { bytes: 4 * 1024 * 1024 } });
    const ask = (item: object) => served.post('/mutating/wide.example.com/v1/wides', review({ object: wide(item) }));
    expect(responseOf(await ask({ text: 'y' })).allowed).toBe(true);
    const refused = await ask({});
    expect([refused.status, refused.text]).toEqual([413, expect.stringMatching(/^reviewing the object takes more than 3\.5 MiB, /)]);
    expect(served.told.filter((what) => what.startsWith('panicked'))).toEqual([]);
  });

  test('review v1beta1 is answered as it asks (W6)', async () => {
    const served = await Served.start([defaulting(Cache, () => undefined)]);
    const answer = await served.post(DEFAULTING, review({ object: cacheObject('v1', {}) }, 'admission.k8s.io/v1beta1'));
    expect(answer.json).toMatchObject({ apiVersion: 'admission.k8s.io/v1beta1', response: { allowed: true } });
  });
});

interface Writable {
  spec: { size: number };
}

describe('checking objects', () => {
  test("refusals render as the API server's own field errors", async () => {
    const served = await Served.start([
      validating(Cache, () => [
        { path: 'spec.size', message: 'must be odd' },
        { path: 'spec.ports[1].name', message: 'choose another', type: 'Duplicate' },
        { path: 'metadata.labels[example.com/tier]', message: 'set it', type: 'Required' },
        { path: 'spec.mode', message: 'use fast', type: 'NotSupported' },
        { path: 'spec.secret', message: 'never here', type: 'Forbidden' },
        { path: 'spec', message: 'is wrong', value: { a: 1 } },
      ]),
    ]);
    const ports = [
      { name: 'a', port: 1 },
      { name: 'b', port: 2 },
    ];
    const { allowed, status } = responseOf(await served.post(VALIDATING, created({ size: 2, mode: 'slow', ports })));
    const lines = [
      'spec.size: Invalid value: 2: must be odd',
      'spec.ports[1].name: Duplicate value: "b": choose another',
      'metadata.labels[example.com/tier]: Required value: set it',
      'spec.mode: Unsupported value: "slow": use fast',
      'spec.secret: Forbidden: never here',
      'spec: Invalid value: {"a":1}: is wrong',
    ];
    expect([allowed, status?.code, status?.reason]).toEqual([false, 422, 'Invalid']);
    expect(status?.message).toBe(`Cache.cache.example.com "a" is invalid: [${lines.join(', ')}]`);
    expect(status?.details).toMatchObject({
      name: 'a',
      group: 'cache.example.com',
      kind: 'Cache',
      causes: lines.map((line) => ({ field: line.slice(0, line.indexOf(': ')), message: line.slice(line.indexOf(': ') + 2) })),
    });
  });

  test('refusals that read the same are said once, and a single one stands without brackets', async () => {
    let refusals: readonly object[] = [];
    const served = await Served.start([validating(Cache, () => refusals as never)]);
    const status = async () => responseOf(await served.post(VALIDATING, created({ size: 2, mode: 'slow' }))).status;
    refusals = [
      { path: 'spec.size', message: 'no', type: 'Duplicate' },
      { path: 'spec.size', message: 'no', type: 'Duplicate' },
    ];
    expect(await status()).toMatchObject({
      message: 'Cache.cache.example.com "a" is invalid: spec.size: Duplicate value: 2: no',
      details: { causes: [{ reason: 'FieldValueDuplicate', field: 'spec.size' }, { reason: 'FieldValueDuplicate' }] },
    });
    refusals = [{ path: 'spec.mode', message: '', type: 'Duplicate' }];
    expect((await status())?.message).toBe('Cache.cache.example.com "a" is invalid: spec.mode: Duplicate value: "slow"');
    refusals = [{ path: 'spec.mode', message: 'use fast', type: 'NotSupported' }];
    expect((await status())?.details).toMatchObject({ causes: [{ reason: 'FieldValueNotSupported', field: 'spec.mode' }] });
    refusals = [{ path: 'spec.mode', message: 'is off', value: null }];
    expect((await status())?.message).toBe('Cache.cache.example.com "a" is invalid: spec.mode: Invalid value: null: is off');
  });

  test('a text denies as a whole; nothing, an empty list and an empty text allow; warnings go along', async () => {
    let verdict: unknown;
    const served = await Served.start([
      validating(Cache, (_, { warn }) => {
        warn('soon gone');
        return verdict as never;
      }),
    ]);
    for (verdict of [undefined, [], '']) {
      expect(responseOf(await served.post(VALIDATING, created({})))).toEqual({ uid: 'u-1', allowed: true, warnings: ['soon gone'] });
    }
    verdict = 'not on fridays';
    expect(responseOf(await served.post(VALIDATING, created({})))).toEqual({
      uid: 'u-1',
      allowed: false,
      status: { metadata: {}, status: 'Failure', code: 403, reason: 'Forbidden', message: 'not on fridays' },
      warnings: ['soon gone'],
    });
  });

  test('a deletion is about the object that is there', async () => {
    const seen: unknown[] = [];
    const served = await Served.start([
      validating(Cache, {
        delete: (cache, { operation, old }) => {
          seen.push([operation, cache.spec.size, old?.spec.size]);
          return [{ path: 'metadata.name', message: 'is kept' }];
        },
      }),
    ]);
    const answer = await served.post(VALIDATING, review({ operation: 'DELETE', oldObject: cacheObject('v1', { size: 9 }) }));
    expect(responseOf(answer).status?.message).toBe('Cache.cache.example.com "a" is invalid: metadata.name: Invalid value: "a": is kept');
    expect(seen).toEqual([['DELETE', 9, 9]]);
  });

  test('the object of a deletion takes its memory once', async () => {
    const served = await Served.start([validating(Wide, { update: () => [], delete: () => [] })], {
      memory: { bytes: 16 * 1024 * 1024 },
    });
    const ask = (request: Parameters<typeof review>[0]) => served.post('/validating/wide.example.com/v1/wides', review(request));
    expect(responseOf(await ask({ operation: 'DELETE', oldObject: wide({}) })).allowed).toBe(true);
    expect((await ask({ operation: 'UPDATE', object: wide({}), oldObject: wide({}) })).status).toBe(413);
  });

  test('defaults of the handler’s version are there, in the old object too', async () => {
    const seen: unknown[] = [];
    const served = await Served.start([
      validating(Cache.versions.v1beta1, { update: (cache, { old }) => void seen.push(cache.spec, old.spec) }),
    ]);
    const object = cacheObject('v1', { size: 4 });
    await served.post(
      '/validating/cache.example.com/v1beta1/caches',
      review({ operation: 'UPDATE', object, oldObject: cacheObject('v1beta1', {}) }),
    );
    expect(seen).toEqual([{ replicas: 4, mode: 'fast' }, { mode: 'fast' }]);
  });

  test('a handler that writes into its object, or into the stored one, fails at its line', async () => {
    const writes = [
      (cache: Writable) => {
        cache.spec.size = 99;
      },
      (_: Writable, old: Writable) => {
        old.spec.size = 99;
      },
    ];
    for (const write of writes) {
      const served = await Served.start([
        validating(Cache, { update: (cache, { old }) => write(cache as unknown as Writable, old as unknown as Writable) }),
      ]);
      const answer = await served.post(
        VALIDATING,
        review({ operation: 'UPDATE', object: cacheObject('v1', { size: 2 }), oldObject: cacheObject('v1', { size: 1 }) }),
      );
      expect([answer.status, answer.text]).toEqual([500, expect.stringContaining("Cannot assign to read only property 'size'")]);
    }
  });

  test('an operation that is not checked is never allowed unseen', async () => {
    const served = await Served.start([validating(Cache, { create: () => [] })]);
    const object = cacheObject('v1', {});
    const answer = await served.post(VALIDATING, review({ operation: 'UPDATE', object, oldObject: object }));
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('does not check the operation UPDATE')]);
  });
});

describe('handlers that break', () => {
  test.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new RangeError('boom');
      },
      'RangeError: boom',
    ],
    ['rejects', () => Promise.reject(new Error('later')), 'Error: later'],
    [
      'throws what is not an error',
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- authors do
        throw 'text';
      },
      'text',
    ],
    ['returns a number', () => 5, 'the handler returned number; return nothing, a text, or a list of refusals'],
    [
      'returns null among refusals',
      () => [null],
      "refusal 0 of the handler is not a refusal; write { path: 'spec.size', message: 'must be odd' }",
    ],
    [
      'returns a refusal without a path',
      () => [{ path: 'a', message: 'b' }, { message: 'b' }],
      'refusal 1 of the handler is not a refusal',
    ],
    ['returns a refusal without a message', () => [{ path: 'a', message: 5 }], 'refusal 0 of the handler is not a refusal'],
    ['returns an unknown type', () => [{ path: 'a', message: 'b', type: 'Wrong' }], 'refusal 0 of the handler is not a refusal'],
  ])('H59 a check that %s denies nothing: failurePolicy decides, and the log has it', async (_, handler, message) => {
    const served = await Served.start([validating(Cache, handler as never)]);
    const answer = await served.post(VALIDATING, created({}));
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining(message)]);
    expect(served.told).toEqual([`started ${VALIDATING}`, `panicked ${VALIDATING}`, `finished ${VALIDATING} 500`]);
    const line = served.log.lines.find(({ level }) => level === 'error');
    expect(line).toMatchObject({
      message: 'a webhook failed',
      fields: { path: VALIDATING, uid: 'u-1', object: 'Cache team/a', operation: 'CREATE' },
    });
  });

  test('a mutation that returns what is not an object, or no JSON, fails', async () => {
    let result: unknown;
    const served = await Served.start([defaulting(Cache, () => result as never)]);
    const loop: Record<string, unknown> = { ...cacheObject('v1', {}) };
    loop['loop'] = loop;
    for (const [value, text] of [
      [5, 'the handler returned number; return the object, change it in place, or return refusals'],
      [null, 'the handler returned null; return the object, change it in place, or return refusals'],
      [[5], 'refusal 0 of the handler is not a refusal'],
      [loop, 'circular'],
      [{}, 'the handler changed apiVersion to undefined; it must stay'],
      [{ ...cacheObject('v1', {}), kind: 'Other' }, 'the handler changed kind to "Other"; it must stay'],
      [{ ...cacheObject('v1', {}), metadata: 'a' }, 'the handler changed metadata.name to undefined; it must stay'],
    ] as const) {
      result = value;
      const answer = await served.post(DEFAULTING, created({}));
      expect([answer.status, answer.text]).toEqual([500, expect.stringContaining(text)]);
    }
  });

  test('a handler that hangs is answered for before the API server gives up, and its signal is aborted', async () => {
    const signals: AbortSignal[] = [];
    let reject: (error: Error) => void = () => undefined;
    const served = await Served.start([
      validating(Cache, (_, { signal }) => {
        signals.push(signal);
        return new Promise((_resolve, fail) => {
          reject = fail;
        });
      }),
    ]);
    const pending = served.post(`${VALIDATING}?timeout=4s`, created({}));
    await served.clock.timer((delayMs) => delayMs === 3_600);
    while (signals.length === 0) await new Promise((resolve) => setImmediate(resolve));
    served.clock.advance(3_600);
    const answer = await pending;
    expect([answer.status, answer.text, signals[0]?.aborted]).toEqual([504, 'there was no answer within 3600 ms\n', true]);
    // H65: what comes too late is logged, and ends nothing.
    reject(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(served.log.texts).toContain('error a webhook failed, after its time');
    expect(served.clock.pending).toBe(0);
  });

  test('an observer that throws is logged, and the answer given', async () => {
    const broken = (): never => {
      throw new Error('metrics');
    };
    const served = await Served.start([validating(Cache, () => [])], { observer: { started: broken, finished: broken, panicked: broken } });
    expect(responseOf(await served.post(VALIDATING, created({}))).allowed).toBe(true);
    expect(served.log.texts).toContain('error the observer of webhooks failed');
  });
});
