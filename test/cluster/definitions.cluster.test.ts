import { defineCustomResource } from 'keelson';
import { z } from 'zod';
import { customResourceDefinitionManifest } from '../../src/keelson/definition/index.js';
import { applyAll } from './checks/index.js';
import { admissionObject, expressions, manifestOf, ourAdmissionProblems, ourProblems, placesOf, variants } from './definitions/index.js';
import { describeCluster, isStatus, type TestObject } from './harness/index.js';

/**
 * What a definition says beside its schema (columns, scale, selectable fields, names, versions), judged by us and by the API server.
 *
 * We are never laxer. Where we are stricter, the variant says why, and that is held too: a reason that is no longer needed fails.
 */
describeCluster('definitions that the real API server judges', (cluster) => {
  test.each(Object.entries(variants))('%s', async (_, variant) => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const { status, body } = await cluster.request('POST', path, manifestOf(variant), { query: { dryRun: 'All' } });
    // Anything else would be a mistake of the variant, not of the definition.
    expect([201, 422]).toContain(status);
    const theirs = isStatus(body) ? (body.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`) : [];
    const ours = ourProblems(variant);
    const expected =
      variant.stricter === undefined ? { server: status === 201, keelson: status === 201 } : { server: true, keelson: false };
    expect({ server: status === 201, keelson: ours.length === 0, ours, theirs }).toEqual({ ...expected, ours, theirs });
  });
});

/** A definition that never had the subresource keeps the status that is written with the object. */
describeCluster('a status without its subresource, on the real API server', (cluster) => {
  const Cache = defineCustomResource({
    group: 'plain-status.example.com',
    kind: 'Cache',
    versions: { v1: { spec: z.object({}), status: z.object({ ready: z.boolean().optional() }), statusSubresource: false } },
  });
  const manifest = customResourceDefinitionManifest(Cache) as TestObject;
  beforeAll(() => applyAll(cluster, [manifest]));
  afterAll(async () => {
    await cluster.must('DELETE', await cluster.paths.pathOf(manifest));
  });

  test('it is written with the object, and has no path of its own', async () => {
    const namespace = await cluster.namespace('plain-status');
    const collection = `/apis/plain-status.example.com/v1/namespaces/${namespace}/caches`;
    const cache = { apiVersion: 'plain-status.example.com/v1', kind: 'Cache', metadata: { name: 'a', namespace }, spec: {} };
    const created = await cluster.must<TestObject>('POST', collection, { ...cache, status: { ready: false } });
    expect(created).toMatchObject({ status: { ready: false } });
    const updated = await cluster.must('PUT', `${collection}/a`, { ...created, status: { ready: true } });
    expect(updated).toMatchObject({ status: { ready: true } });
    expect(await cluster.request('GET', `${collection}/a/status`)).toMatchObject({ status: 404 });
  });
});

/** Read and refused by us alone: it is always null there, so that every request would fail. */
const ALWAYS_NULL = /namespaceObject/;

describeCluster('expressions of webhooks and policies that the real API server judges', (cluster) => {
  test.each(expressions)('%s', async (expression) => {
    for (const [place, carried] of Object.entries(placesOf(expression))) {
      if (place.startsWith('match condition') && ALWAYS_NULL.test(expression)) continue;
      const { plural, object } = admissionObject(carried);
      const { body } = await cluster.request('POST', `/apis/admissionregistration.k8s.io/v1/${plural}`, object, {
        query: { dryRun: 'All' },
      });
      const causes = isStatus(body) ? (body.details?.causes ?? []) : [];
      const theirs = causes.map(({ field, message = '' }) => `${field}: ${message.replace(/^Invalid value: "(?:[^"\\]|\\.)*": /, '')}`);
      expect({ place, problems: ourAdmissionProblems(carried) }).toEqual({ place, problems: theirs });
    }
  });
});
