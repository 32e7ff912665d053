import { parseGoDuration } from '@keelson/kubernetes/apimachinery';
import { systemClock } from '../clock/index.js';
import type { RequestUser } from '../contract/index.js';
import { badRequest, statusBody } from '../status/index.js';
import { jsonText } from '../values/index.js';
import type { Fault } from './faults.js';
import type { RequestAttributes } from './gatekeeper.js';
import { requestTimedOut } from './generic-errors.js';
import { clientCertificateOf } from './incoming.js';
import { type HttpParts, LIMIT_DEFAULTS } from './parts.js';
import { PlainAnswer } from './plain-answer.js';
import { PLAIN_TEXT, type Rendered, renderedStatus } from './rendering.js';
import { type RequestInfo, requestInfoOf } from './request-info.js';
import { cut, type DescribedRequest, type ReceivedRequest, type ServedRequest } from './served-request.js';
import { protocolTokenOf } from './web-socket-request.js';

/** Stage 1: finds the resource and the verb. @throws PlainAnswer for a path that the server cannot make sense of */
export function described(request: ReceivedRequest): DescribedRequest {
  const { method, path, query, message, journal } = request;
  if (path === undefined) throw new PlainAnswer(400, '400 Bad Request', { isEarly: true });
  const info = requestInfoOf({ method, path, query });
  const { url = '' } = message;
  if (info === undefined)
    throw new PlainAnswer(
      500,
      `Internal Server Error: ${JSON.stringify(url)}: failed to create RequestInfo: unable to determine kind and namespace from url, ${url}\n`,
      { isEarly: true },
    );
  journal.describe(info);
  return { ...request, info };
}

const LONG_RUNNING = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

function isLongRunning({ verb, subresource }: RequestInfo): boolean {
  return verb === 'watch' || verb === 'proxy' || LONG_RUNNING.has(subresource);
}

/** Stage 2: starts the time limit. @returns its end @throws StatusError 400 for a `timeout` that is not a duration */
export function limitTime(request: DescribedRequest, { limits, timer = systemClock }: HttpParts): () => void {
  if (isLongRunning(request.info)) return () => undefined;
  const { requestTimeoutMs = LIMIT_DEFAULTS.requestTimeoutMs } = limits ?? {};
  const wished = request.query.get('timeout') ?? '';
  const nanoseconds = wished === '' ? 0n : parseGoDuration(wished);
  if (typeof nanoseconds === 'string') throw badRequest(`invalid timeout specified in the request URL - ${nanoseconds}`);
  const ms = nanoseconds > 0n ? Math.min(Number(nanoseconds) / 1e6, requestTimeoutMs) : requestTimeoutMs;
  return timer.schedule(ms, () => timeOut(request));
}

/** The handler may go on: its answer is dropped. */
function timeOut({ reply, aborter }: ReceivedRequest): void {
  const { status } = requestTimedOut();
  const { kind: _kind, apiVersion: _apiVersion, ...body } = statusBody(status);
  if (reply.canSend) void reply.send({ code: status.code, contentType: PLAIN_TEXT }, `${jsonText(body)}\n`);
  else reply.response.destroy();
  aborter.abort();
}

/** Stage 3: authentication and authorization. @throws StatusError 401, 403 */
export async function admitted(request: DescribedRequest, { gatekeeper }: HttpParts): Promise<RequestUser> {
  const { message, info, method, reply, journal } = request;
  journal.startAdmission();
  try {
    const certificate = clientCertificateOf(message);
    const protocolToken = protocolTokenOf(message);
    const facts = {
      method,
      path: info.path,
      headers: message.headers,
      rawHeaders: message.rawHeaders,
      ...(certificate === undefined ? {} : { clientCertificate: certificate }),
      ...(protocolToken === undefined ? {} : { protocolToken }),
      warn: (text: string) => reply.warnings.add(text),
    };
    const user = await gatekeeper.authenticate(facts, attributesOf(info, info.verb));
    journal.identify(user);
    authorize({ info, user }, info.verb, gatekeeper);
    journal.reached('authorizedMs');
    return user;
  } finally {
    journal.tell('started');
  }
}

/** @throws StatusError 403 if the user of the request may not do `verb` */
export function authorize({ info, user }: Pick<ServedRequest, 'info' | 'user'>, verb: string, gatekeeper: HttpParts['gatekeeper']): void {
  gatekeeper.authorize(user, attributesOf(info, verb));
}

function attributesOf(info: ServedRequest['info'], verb: string): RequestAttributes {
  const { isResourceRequest, group, version, resource, subresource, namespace, name, path } = info;
  return { isResourceRequest, verb, group, version, resource, subresource, namespace, name, path };
}

/** Stage 4: asks for a fault. */
export async function faultFor(request: DescribedRequest, user: RequestUser, { intercept }: HttpParts): Promise<Fault | undefined> {
  if (intercept === undefined) return undefined;
  const { method, info, query, message, aborter } = request;
  return intercept({ method, info, query, headers: message.headers, user, signal: aborter.signal });
}

/** Stage 5: lets a fault take effect before the request is handled. @returns an answer in place of the handler's, or how to go on */
export async function disturbed(request: ServedRequest, parts: HttpParts): Promise<Rendered | 'cut' | 'handle'> {
  const { fault, info, query } = request;
  switch (fault?.do) {
    case 'answer':
      return renderedStatus(request, fault.status, fault.headers);
    case 'drop':
      if (fault.when === 'after') return 'handle';
      cut(request);
      return 'cut';
    case 'delay':
      if (fault.when === 'before') await wait(request, fault, parts);
      return 'handle';
    case 'read-at':
      if (info.verb === 'list') {
        query.set('resourceVersion', fault.resourceVersion);
        query.set('resourceVersionMatch', 'Exact');
      }
      return 'handle';
    default:
      return 'handle';
  }
}

/** Stage 7, when all is done but the answer: lets a fault take effect. @returns whether an answer can be sent */
export async function mayAnswer(request: ReceivedRequest, fault: Fault | undefined, parts: HttpParts): Promise<boolean> {
  request.journal.reached('handledMs');
  if (fault?.do === 'drop') cut(request);
  if (fault?.do === 'delay' && fault.when === 'after') await wait(request, fault, parts);
  return request.reply.canSend;
}

function wait(
  { aborter: { signal } }: ReceivedRequest,
  { ms, timer: ownTimer }: Extract<Fault, { readonly do: 'delay' }>,
  { timer = systemClock }: HttpParts,
): Promise<void> {
  return new Promise((resolve) => {
    const cancel = (ownTimer ?? timer).schedule(ms, resolve);
    const stop = (): void => {
      cancel();
      resolve();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
