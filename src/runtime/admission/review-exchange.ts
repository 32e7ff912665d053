import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import type { Route } from './call.js';
import { NoReview, textOf } from './errors.js';
import type { LogAllowance } from './log-allowance.js';
import type { WebhookObserver } from './observer.js';
import { checkHead, readDocument } from './request-body.js';
import type { ReviewMemory } from './review-memory.js';
import { timeoutOf } from './timeout-of.js';

export interface ExchangeParts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly memory: ReviewMemory;
  readonly complaints: LogAllowance;
  readonly observer: Required<WebhookObserver>;
}

/** Bytes that a character of an answer takes until it is sent: in V8's text, and in Node's buffer. */
const BYTES_PER_CHARACTER = 4;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Answers one request with a review, or with the reason why there is not one.
 *
 * Guarantees: exactly one answer, within the time that the API server waits; nothing is rejected; the request's signal is aborted when its client has gone or
 * its time is over, and no timer or listener is left behind (H64).
 */
export async function exchange(
  route: Route,
  { request, response }: Exchange,
  { clock, log, memory, complaints, observer }: ExchangeParts,
): Promise<HttpAnswer> {
  const { path } = route;
  const startedMs = clock.monotonicMs();
  const timeoutMs = timeoutOf((request.url ?? '').split('?')[1] ?? '');
  const over = new AbortController();
  const cancel = clock.schedule(timeoutMs, () => over.abort(late(route, timeoutMs)));
  const gone = (): void => over.abort(new NoReview(499, 'the client has gone'));
  response.once('close', gone);
  observer.started(path);
  let answer: HttpAnswer;
  try {
    answer = await within(over.signal, review(route, { request, response }, { clock, memory, log, observer, signal: over.signal }));
  } catch (error) {
    answer = failure(error);
    complaints.warn('a request got no review', { path, status: answer.status, why: answer.text, client: request.socket.remoteAddress });
  } finally {
    cancel();
    response.off('close', gone);
  }
  observer.finished(path, answer.status, (clock.monotonicMs() - startedMs) / 1_000);
  return answer;
}

function late({ problem }: Route, timeoutMs: number): NoReview {
  return new NoReview(504, `there was no answer within ${Math.round(timeoutMs)} ms${problem === undefined ? '' : `: ${problem}`}`);
}

/** A text, for a request without a review. */
export function failure(error: unknown): HttpAnswer {
  const found = NoReview.is(error) ? error : new NoReview(500, textOf(error));
  return { status: found.status, type: 'text/plain; charset=utf-8', text: `${found.message}\n`, headers: found.headers };
}

async function review(
  route: Route,
  { request, response }: Exchange,
  { clock, memory, log, observer, signal }: Omit<ExchangeParts, 'complaints'> & { readonly signal: AbortSignal },
): Promise<HttpAnswer> {
  checkHead(request);
  const { document, claim } = await readDocument(request, { memory, clock, signal });
  try {
    const answer = await route.answer(document, {
      signal,
      log,
      claim: (bytes) => claim.grow(bytes),
      panicked: (error, fields, isKnown = false) => {
        observer.panicked(route.path);
        log[isKnown ? 'debug' : 'error'](`a webhook failed${signal.aborted ? ', after its time' : ''}`, {
          path: route.path,
          ...fields,
          error,
        });
      },
    });
    const text = JSON.stringify(answer);
    claim.shrink(text.length * BYTES_PER_CHARACTER);
    return { status: 200, type: 'application/json', text };
  } finally {
    // The answer of a conversion is as large as its request, and its text stays in memory until the client has taken it.
    if (response.writableFinished || response.destroyed) claim.release();
    else response.once('close', () => claim.release());
  }
}

/** The work, or the signal's reason when that comes first; what the work comes to later is its own affair, and has been logged. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', over, { once: true });
    // Also handles a rejection that comes after the signal (H65).
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', over));
  });
}
