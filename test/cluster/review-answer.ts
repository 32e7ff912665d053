import { StatusError, statusBody } from '../../src/api-server/status/index.js';

/** The status that a refusal makes, or the answer. */
export function answerOf<T>(ask: () => T): { readonly status: number; readonly body: unknown } {
  try {
    return { status: 201, body: ask() };
  } catch (error) {
    if (!StatusError.isStatusError(error)) throw error;
    return { status: error.status.code, body: statusBody(error.status) };
  }
}

/** The same of an answer that takes its time. */
export function answerInTime<T>(asked: Promise<T>): Promise<{ readonly status: number; readonly body: unknown }> {
  const refused = (error: unknown): ReturnType<typeof answerOf> =>
    answerOf(() => {
      throw error;
    });
  return asked.then((body) => answerOf(() => body), refused);
}

/** What the registry, not the review, adds to an answer. */
export function withoutBookkeeping(body: unknown): unknown {
  const { metadata, ...rest } = body as { metadata?: Record<string, unknown> };
  const { managedFields: _, creationTimestamp: __, ...kept } = metadata ?? {};
  return { ...rest, metadata: kept };
}
