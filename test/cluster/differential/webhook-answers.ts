import { canonicalJson, type Json } from '../../../src/kubernetes/apimachinery/index.js';
import type { Answer } from '../harness/index.js';

interface Patched {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
}

function patchOf(operations: readonly object[]): object {
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') };
}

/** What the webhooks of the scripts say, by path. */
export const webhookAnswers: Readonly<Record<string, Answer>> = {
  // A second call, after the other has changed the object, shows in the label.
  '/label': ({ object }) => {
    if (!object) return { allowed: true };
    const { metadata, data = {} } = object as unknown as Patched;
    return patchOf([{ op: 'add', path: '/metadata/labels', value: { ...metadata.labels, keys: Object.keys(data).sort().join('-') } }]);
  },
  '/count': ({ object }) => {
    if (!object) return { allowed: true };
    const { data = {} } = object as unknown as Patched;
    return patchOf([
      { op: 'add', path: '/data', value: { ...data, counted: String(Object.keys(data).filter((key) => key !== 'counted').length) } },
    ]);
  },
  '/warn': () => ({ allowed: true, warnings: ['mind the gap', 'mind the step'], auditAnnotations: { seen: 'yes' } }),
  '/deny': () => ({
    allowed: false,
    status: { message: 'denied by a test', reason: 'Conflict', code: 409, details: { causes: [{ field: 'data', message: 'no' }] } },
  }),
  // What the server asks, as it asks it.
  '/show': ({ operation, kind, resource, subResource, name, object, options }) => {
    const { managedFields: _, ...metadata } = (object?.metadata ?? {}) as Readonly<Record<string, unknown>>;
    const asked = { operation, kind, resource, subResource, name, object: { ...object, metadata }, options };
    return { allowed: false, status: { message: canonicalJson(asked as Json), code: 403 } };
  },
  '/brief': () => ({ allowed: false }),
  '/wrong': () => ({ uid: 'another', allowed: true }),
  '/bad-patch': () => ({ allowed: true, patchType: 'JSONPatch', patch: Buffer.from('{').toString('base64') }),
};
