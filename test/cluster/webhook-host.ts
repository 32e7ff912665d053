import type { ConversionModel } from 'keelson';
import { groupVersionOf } from '../../src/kubernetes/apimachinery/index.js';
import type { Answer, ReviewRequest } from './harness/index.js';

type Handler = (object: unknown, context: object) => unknown;

interface AdmissionWebhook {
  readonly type: 'mutating' | 'validating';
  readonly handle: unknown;
}

/** Puts the handler of a definition behind a path: enough of a host to see which objects the API server sends, and that it takes the handler's word. */
export function answerOf({ type, handle }: AdmissionWebhook): Answer {
  return (request) => {
    const context = { operation: request.operation, old: request.oldObject ?? undefined, dryRun: request.dryRun === true };
    const object = structuredClone(request.object);
    if (type === 'mutating') {
      (handle as Handler)(object, context);
      return { allowed: true, patchType: 'JSONPatch', patch: replaced(object) };
    }
    const refusals = (handlerFor(handle, request)(object, context) ?? []) as readonly { path: string; message: string }[];
    if (refusals.length === 0) return { allowed: true };
    const message = refusals.map((refusal) => `${refusal.path}: ${refusal.message}`).join(', ');
    return { allowed: false, status: { code: 422, reason: 'Invalid', message } };
  };
}

function handlerFor(handle: unknown, { operation }: ReviewRequest): Handler {
  return (handle as Readonly<Record<string, Handler>>)[operation?.toLowerCase() ?? ''] as Handler;
}

function replaced(object: unknown): string {
  const patch = [{ op: 'replace', path: '/spec', value: (object as { spec: unknown }).spec }];
  return Buffer.from(JSON.stringify(patch)).toString('base64');
}

/** As {@link answerOf}, for a kind whose versions are converted. */
export function conversionAnswerOf(conversions: Readonly<Record<string, ConversionModel>>, storageVersion: string): Answer {
  return ({ objects = [], desiredAPIVersion = '' }) => {
    const convertedObjects = objects.map((object) => {
      const [from, to] = [groupVersionOf(object.apiVersion).version, groupVersionOf(desiredAPIVersion).version];
      const stored = from === storageVersion ? object : (conversions[from]?.toStorage(object) as object);
      return to === storageVersion ? stored : (conversions[to]?.fromStorage(stored) as object);
    });
    return { convertedObjects, result: { status: 'Success' } };
  };
}
