import { admissionObject, expressions, manifestOf, ourAdmissionProblems, ourProblems, placesOf, variants } from './definitions/index.js';
import { describeCluster, isStatus } from './harness/index.js';

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
