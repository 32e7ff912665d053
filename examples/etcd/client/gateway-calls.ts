import type { EtcdTarget } from './api.js';
import { EtcdError, reasonOf } from './errors.js';
import { type Answer, begin, chunksOf, type Exchange } from './transport.js';

export interface Call {
  readonly path: string;
  /** @defaultValue a GET */
  readonly body?: object | undefined;
  readonly isChange: boolean;
  /** Refusals after which another endpoint is asked, because they are about this member alone. */
  readonly elsewhereAfter?: (error: EtcdError) => boolean;
}

export interface Limits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

export const DEFAULT_TIMEOUT_MS = 5_000;

type Json = Readonly<Record<string, unknown>>;

/** Milliseconds for the connection, and for the answer with it. */
export interface AttemptLimits {
  readonly connectMs: number;
  readonly answerMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Tries the endpoints in turn, until one has answered or the next one must not be asked.
 *
 * A read may use its share of the time at each endpoint, so that one that hangs leaves time for the others. A change has all that is left, once it is sent.
 */
export async function acrossEndpoints<T>(
  target: EtcdTarget,
  { signal, timeoutMs = DEFAULT_TIMEOUT_MS }: Limits,
  call: Call,
  attempt: (endpoint: string, limits: AttemptLimits) => Promise<T>,
): Promise<T> {
  const { endpoints } = target;
  if (endpoints.length === 0) throw new TypeError('a call of etcd needs at least one endpoint');
  const end = performance.now() + timeoutMs;
  const failures: EtcdError[] = [];
  for (const [index, endpoint] of endpoints.entries()) {
    const left = end - performance.now();
    if (left <= 0) break;
    const share = left / (endpoints.length - index);
    try {
      return await attempt(endpoint, { connectMs: share, answerMs: call.isChange ? left : share, signal });
    } catch (error) {
      if (!(error instanceof EtcdError) || !mayGoOn(error, call)) throw error;
      failures.push(error);
    }
  }
  throw combined(failures, timeoutMs);
}

function mayGoOn(error: EtcdError, { elsewhereAfter }: Call): boolean {
  if (error.mayHaveHappened) return false;
  return error.code !== 'Refused' || error.reason === 'NotSupportedForLearner' || elsewhereAfter?.(error) === true;
}

function combined(failures: readonly EtcdError[], timeoutMs: number): EtcdError {
  const [first] = failures;
  if (first !== undefined && failures.length === 1) return first;
  if (first === undefined) return new EtcdError('Timeout', `nothing was asked within ${timeoutMs} ms`);
  const { code, reason } =
    failures.find((failure) => failure.code === 'Timeout') ?? failures.find((failure) => failure.code !== 'Unavailable') ?? first;
  const all = failures.map(({ message }) => message).join('; ');
  return new EtcdError(code, `none of ${failures.length} endpoints has answered: ${all}`, { reason, cause: first });
}

/** Calls that are one JSON object each way. */
export async function callJson(
  target: EtcdTarget,
  call: Call,
  limits: Limits = {},
): Promise<{ readonly endpoint: string; readonly answer: Json }> {
  return acrossEndpoints(target, limits, call, async (endpoint, given) => ({
    endpoint,
    answer: await callOne(endpoint, target, call, given),
  }));
}

export async function callOne(endpoint: string, { tls }: EtcdTarget, call: Call, limits: AttemptLimits): Promise<Json> {
  const exchange: Exchange = { endpoint, tls, ...limits, path: call.path, body: call.body, isChange: call.isChange };
  const { status, text } = await answered(exchange);
  if (status !== 200) throw problemOf(status, text, exchange);
  return parsed(text, exchange);
}

/** The whole answer, within the time of the exchange. */
export async function answered(exchange: Exchange): Promise<{ readonly status: number; readonly text: string }> {
  const startedMs = performance.now();
  const answer = await begin(exchange);
  const text = await textOf(answer, Math.max(1, exchange.answerMs - (performance.now() - startedMs)), exchange);
  return { status: answer.status, text };
}

export async function textOf(answer: Answer, idleMs: number, exchange: Exchange): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(answer, idleMs, exchange)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parsed(text: string, { endpoint, path, isChange }: Exchange): Json {
  const json = jsonOf(text);
  if (json !== undefined) return json;
  throw new EtcdError('InvalidAnswer', `${endpoint}: ${path} was not answered with JSON but with ${quoted(text)}`, {
    endpoint,
    mayHaveHappened: isChange,
  });
}

/** The error of an answer that has another status than 200. */
export function problemOf(status: number, text: string, { endpoint, path, isChange }: Exchange): EtcdError {
  const json = jsonOf(text);
  if (json !== undefined) return errorOf(json, endpoint, isChange);
  // etcd itself answers in plain text before it looks at the call: an unknown path, or a certificate that it does not take.
  if (status >= 400 && status < 500)
    return new EtcdError('Refused', `${endpoint}: ${path} was answered with ${status} ${quoted(text)}`, { endpoint, reason: 'Other' });
  return new EtcdError('InvalidAnswer', `${endpoint}: ${path} was answered with ${status} ${quoted(text)}`, {
    endpoint,
    mayHaveHappened: isChange,
  });
}

/** The call was given up on its way through raft, or by the gateway: nothing says how it ended. */
const UNDECIDED = /timed out|deadline exceeded|leader changed|server stopped|cancell?ed|connection|transport/i;

/** The words of etcd itself. Those of raft and of gRPC say how the call was lost, and not that nothing was done: `raft: stopped` is said of a change that was sent on. */
const OWN_WORDS = /\betcdserver: /;

/** gRPC's codes for a call that is not looked at further: its form, its state, its method or its caller are not right. */
const REFUSING_CODES: ReadonlySet<number> = new Set([3, 5, 6, 7, 9, 11, 12, 16]);

const isUndecided = (text: string, grpcCode: number): boolean =>
  UNDECIDED.test(text) || !(OWN_WORDS.test(text) || REFUSING_CODES.has(grpcCode));

/** `error` of an answer, as etcd 3.4 to 3.6 have it: `code` and `message`; within a stream `grpc_code` as well. */
export function errorOf(json: Json, endpoint: string, isChange: boolean): EtcdError {
  const text = String(json['message'] ?? json['error'] ?? 'no message');
  const grpcCode = Number(json['code'] ?? json['grpc_code'] ?? 2);
  const message = `${endpoint}: ${text}`;
  const reason = reasonOf(text);
  if (reason === 'NoLeader') return new EtcdError('Unavailable', message, { endpoint, grpcCode });
  if (reason === 'Other' && isUndecided(text, grpcCode))
    return new EtcdError('Timeout', message, { endpoint, grpcCode, mayHaveHappened: isChange });
  return new EtcdError('Refused', message, { reason, endpoint, grpcCode });
}

export function jsonOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function quoted(text: string): string {
  const line = text.trim().slice(0, 200);
  return line === '' ? 'nothing' : `'${line}'`;
}
