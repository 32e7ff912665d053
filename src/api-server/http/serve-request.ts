import { messageOf } from '@keelson/kubernetes/apimachinery';
import { internalError, StatusError } from '../status/index.js';
import type { Fault } from './faults.js';
import type { HttpParts } from './parts.js';
import { PlainAnswer } from './plain-answer.js';
import { type Rendered, renderedPlain, renderedStatus } from './rendering.js';
import { ClientGone } from './request-body.js';
import { cut, type ReceivedRequest, type ServedRequest } from './served-request.js';
import { admitted, described, disturbed, faultFor, limitTime, mayAnswer } from './stages.js';

/** A watch: its answer is a stream that has a life of its own. */
export interface Stream {
  /** Starts the answer; settles when it has ended. */
  readonly run: () => Promise<void>;
  /** Called in place of `run` if nothing can be sent any more. */
  readonly abandon: () => void;
}

/** Handles an authorized request. @throws StatusError, PlainAnswer: they become the answer */
export type Handle = (request: ServedRequest) => Promise<Rendered | Stream>;

/**
 * Serves one request, from the head to the last byte of its answer.
 *
 * Stages: 1. describe (resource and verb). 2. Time limit. 3. Authentication (401), authorization (403). 4. and 5. A fault, if one is ordered. 6. The handler.
 * 7. The answer; a thrown error becomes one.
 * Guarantees: never throws; each request is answered once or its connection is cut; an error that is a bug is reported and answered with 500.
 * Source of the order: apiserver `pkg/server/config.go`.
 */
export async function serveRequest(request: ReceivedRequest, parts: HttpParts, handle: Handle): Promise<void> {
  let endLimit = (): void => undefined;
  let fault: Fault | undefined;
  try {
    const about = described(request);
    endLimit = limitTime(about, parts);
    const user = await admitted(about, parts);
    fault = await faultFor(about, user, parts);
    const served: ServedRequest = { ...about, user, fault };
    const first = await disturbed(served, parts);
    if (first === 'cut') return;
    const outcome = first === 'handle' ? await handle(served) : first;
    const canAnswer = await mayAnswer(request, fault, parts);
    if ('run' in outcome) await (canAnswer ? outcome.run() : outcome.abandon());
    else if (canAnswer) await send(request, outcome);
  } catch (error) {
    const answer = answerTo(error, request);
    if (answer !== undefined && (await mayAnswer(request, fault, parts))) await send(request, answer);
  } finally {
    endLimit();
  }
}

async function send({ reply }: ReceivedRequest, rendered: Rendered): Promise<void> {
  if ('pieces' in rendered) await reply.sendPieces(rendered.head, rendered.pieces);
  else await reply.send(rendered.head, rendered.body);
}

/** `undefined`: the client is gone, or half an answer is out. */
function answerTo(error: unknown, request: ReceivedRequest): Rendered | undefined {
  const { reply, aborter } = request;
  if (ClientGone.isClientGone(error) || (aborter.signal.aborted && !reply.canSend)) return undefined;
  if (reply.isStarted) {
    // The client has to see that the answer is not whole.
    request.report(error);
    cut(request);
    return undefined;
  }
  if (PlainAnswer.isPlainAnswer(error)) return renderedPlain(error);
  if (StatusError.isStatusError(error)) return renderedStatus(request, error.status);
  request.report(error);
  return renderedStatus(request, internalError(messageOf(error)).status);
}
