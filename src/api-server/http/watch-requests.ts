import { Turns } from '@keelson/kubernetes/listening';
import { systemClock } from '../clock/index.js';
import type { ApiWatch, Served } from '../contract/index.js';
import { notImplemented } from '../status/index.js';
import { CachedFrames } from './cached-frames.js';
import type { CachedTexts } from './cached-texts.js';
import { listRequestOf, selectName } from './list-options.js';
import { checkStreamable, negotiateOrRefuse } from './media-types.js';
import { type HttpParts, LIMIT_DEFAULTS } from './parts.js';
import { textOptionsOf } from './rendering.js';
import type { Route } from './routes.js';
import type { Stream } from './serve-request.js';
import type { ServedRequest } from './served-request.js';
import { WatchFrames } from './watch-frames.js';
import { ResponseSink, type WatchSink } from './watch-sink.js';
import { WatchStream } from './watch-stream.js';
import { acceptWebSocket } from './web-socket-handshake.js';
import { isWebSocketRequest } from './web-socket-request.js';

/** A server sends its last bookmark so long before the end of a watch: one that is shorter gets none. */
const LAST_BOOKMARK_MS = 2000;

interface OpenedWatch {
  readonly watch: ApiWatch;
  readonly frames: WatchFrames;
  readonly timeoutSeconds: number | undefined;
  readonly served: Served;
}

/** Opens watches and keeps those that are on. */
export class WatchRequests {
  readonly #parts: HttpParts;
  readonly #texts: CachedTexts;
  readonly #frames = new CachedFrames();
  readonly #turns = new Turns();
  readonly #streams = new Set<WatchStream>();

  constructor(parts: HttpParts, texts: CachedTexts) {
    this.#parts = parts;
    this.#texts = texts;
  }

  get streams(): ReadonlySet<WatchStream> {
    return this.#streams;
  }

  /** @throws StatusError 400, 406, 410, 422 */
  async open(request: ServedRequest, { served, namespace, name }: Route): Promise<Stream> {
    const { query, accept, info } = request;
    const { timeoutSeconds, watch: options } = listRequestOf(query, { isWatch: info.hasWatchPrefix });
    const media = negotiateOrRefuse(accept, { allowsTransformation: true });
    checkUpgrade(request);
    const { api, now } = this.#parts;
    const target = { served, namespace, name: '', subresource: '' };
    const watch = await api.watch(target, { ...options, ...selectName(options, name) });
    try {
      const textOptions = textOptionsOf(request, { media, texts: this.#texts, now: now() });
      checkStreamable(media);
      const frames = new WatchFrames(served, { ...textOptions, frames: this.#frames, now });
      return { run: () => this.#run(request, { watch, frames, timeoutSeconds, served }), abandon: () => watch.close() };
    } catch (error) {
      watch.close();
      throw error;
    }
  }

  async #run(request: ServedRequest, { watch, frames, timeoutSeconds, served }: OpenedWatch): Promise<void> {
    const { journal, fault, report } = request;
    const { timer = systemClock, limits } = this.#parts;
    const sink = await sinkOf(request).catch((error: unknown) => {
      watch.close();
      throw error;
    });
    if (sink === undefined) {
      watch.close();
      return;
    }
    const streamFault = fault?.do === 'watch' ? fault.fault : undefined;
    const stream = new WatchStream({ watch, frames, sink, turns: this.#turns, fault: streamFault, onBug: report });
    const { minWatchMs = LIMIT_DEFAULTS.minWatchMs } = limits ?? {};
    // At random, so that watches that began together do not come back together.
    const ms = timeoutSeconds ? timeoutSeconds * 1000 : minWatchMs * (1 + Math.random());
    const cancel = timer.schedule(Math.max(ms, 0), () => stream.finish({ withBookmark: ms > LAST_BOOKMARK_MS }));
    const endFollowing = this.#endWith(served, stream);
    this.#streams.add(stream);
    journal.countEvents(() => stream.events);
    journal.tell('watching');
    await stream.ended;
    this.#streams.delete(stream);
    endFollowing();
    cancel();
  }

  /**
   * The watch of a custom resource ends when its definition goes: the next one is answered with 404.
   * Source: apiextensions `pkg/apiserver/customresource_handler.go`, `removeDeadStorage`.
   */
  #endWith({ resource: { group, plural, isCustom }, version }: Served, stream: WatchStream): () => void {
    const { catalog } = this.#parts;
    if (!isCustom) return () => undefined;
    return catalog.onChange(() => {
      if (catalog.served(group, version.version, plural) === undefined) stream.finish({ withBookmark: false });
    });
  }
}

/** `undefined`: the client is gone, or the handshake of the WebSocket was refused. */
async function sinkOf(request: ServedRequest): Promise<WatchSink | undefined> {
  const { upgrade, message, reply } = request;
  if (upgrade !== undefined && isWebSocketRequest(message)) return acceptWebSocket(request, upgrade);
  reply.start({ code: 200, contentType: 'application/json' });
  return new ResponseSink(reply.response);
}

/** @throws StatusError 501 for a WebSocket where there is no connection of its own */
function checkUpgrade({ message, upgrade }: ServedRequest): void {
  if (upgrade === undefined && isWebSocketRequest(message))
    throw notImplemented('a watch over a WebSocket, on a connection without a socket,');
}
