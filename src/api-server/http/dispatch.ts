import { systemClock } from '../clock/index.js';
import { notImplemented } from '../status/index.js';
import { jsonText } from '../values/index.js';
import type { Answer } from './answer.js';
import { listText, objectText, type TextOptions } from './answer-text.js';
import type { BodyReader } from './body-object.js';
import { CachedTexts } from './cached-texts.js';
import type { DocumentObject } from './document.js';
import type { Exchange } from './exchange.js';
import { noAcceptableRepresentation } from './generic-errors.js';
import { listRequestOf, selectName } from './list-options.js';
import { checkStreamable, negotiateOrRefuse, type OutputMediaType, producesFor } from './media-types.js';
import { LIMIT_DEFAULTS } from './parts.js';
import { ResourceRequest } from './resource-request.js';
import type { Route, Routes } from './routes.js';
import { includeObjectOf } from './table.js';
import { WatchFrames } from './watch-frames.js';
import { WatchStream } from './watch-stream.js';

const CONTENT_TYPES = { json: 'application/json', yaml: 'application/yaml' } as const;

/** A server sends its last bookmark so long before the end of a watch: one that is shorter gets none. */
const LAST_BOOKMARK_MS = 2000;

export interface DispatcherOptions {
  readonly routes: Routes;
  readonly reader: BodyReader;
}

/** Brings a request to its document or its resource, and the answer into the form that the client wants. */
export class Dispatcher {
  readonly #texts = new CachedTexts();
  readonly #routes: Routes;
  readonly #reader: BodyReader;
  readonly #watches = new Set<WatchStream>();

  constructor({ routes, reader }: DispatcherOptions) {
    this.#routes = routes;
    this.#reader = reader;
  }

  /** Watches that are on. */
  get watches(): ReadonlySet<WatchStream> {
    return this.#watches;
  }

  readonly dispatch = (exchange: Exchange): Promise<void> => {
    return exchange.info.isResourceRequest ? this.#resource(exchange) : this.#document(exchange);
  };

  async #document(exchange: Exchange): Promise<void> {
    const { info, parts, method, query, user, request, reply } = exchange;
    const handler = parts.documents.find(info.path);
    if (handler === undefined) throw this.#routes.unknownPath(info.path, info.path.split('/')[2] ?? '');
    const answer = await handler({ method, path: info.path, query, headers: request.headers, user });
    if (answer === undefined) throw this.#routes.unknownPath(info.path, info.path.split('/')[2] ?? '');
    if ('object' in answer) return this.#answerObject(exchange, answer);
    if (await exchange.mayAnswer()) await reply.send({ code: answer.status, headers: answer.headers }, answer.body);
  }

  async #answerObject(exchange: Exchange, { status, headers = {}, object }: DocumentObject): Promise<void> {
    const media = negotiateOrRefuse(exchange.accept, { allowsTransformation: false });
    if (!(await exchange.mayAnswer())) return;
    await exchange.reply.send(
      { code: status, contentType: CONTENT_TYPES[media.format], headers },
      exchange.textOf(jsonText(object), media),
    );
  }

  async #resource(exchange: Exchange): Promise<void> {
    const { accept, info, method, reply } = exchange;
    const route = this.#routes.find(method, info);
    const { resource, version } = route.served;
    if (!resource.isCustom) {
      const produces = producesFor(accept, { isList: route.verb === 'list' || route.verb === 'watch' });
      if (produces !== undefined) throw noAcceptableRepresentation(produces);
    }
    if (version.deprecationWarning !== undefined) reply.warnings.add(version.deprecationWarning);
    if (route.verb === 'watch') return this.#watch(exchange, route);
    // The options of a list are looked at before its form.
    if (route.verb === 'list') listRequestOf(exchange.query);
    const media = negotiateOrRefuse(accept, { allowsTransformation: true });
    const answer = await this.#handle(exchange, route);
    await this.#answer(exchange, media, answer);
  }

  #handle(exchange: Exchange, route: Route): Promise<Answer> {
    const { parts, user, query, signal, reply, request } = exchange;
    const { maxBodyBytes = LIMIT_DEFAULTS.maxBodyBytes } = parts.limits ?? {};
    const surroundings = {
      parts,
      reader: this.#reader,
      maxBodyBytes,
      user,
      query,
      signal,
      warn: (text: string) => reply.warnings.add(text),
      authorize: (verb: string) => exchange.authorize(verb),
      onBodyRead: () => exchange.reached('bodyReadMs'),
    };
    return new ResourceRequest(request, route, surroundings).handle();
  }

  async #answer(exchange: Exchange, media: OutputMediaType, answer: Answer): Promise<void> {
    const { reply } = exchange;
    if (answer.type === 'status') return exchange.sendStatus(answer.status);
    const head = { code: answer.code, contentType: CONTENT_TYPES[media.format] };
    if (answer.type === 'text') {
      const plain = answer.code === 204 ? { code: 204 } : { ...head, contentType: 'text/plain' };
      if (await exchange.mayAnswer()) await reply.send(plain, answer.text);
      return;
    }
    const options = answer.type === 'value' ? undefined : this.#textOptions(exchange, media);
    const isPlain = exchange.isPlainJson(media);
    if (answer.type === 'list' && isPlain) {
      const pieces = listText(answer.served, answer.list, options as TextOptions);
      if (await exchange.mayAnswer()) await reply.sendPieces(head, pieces);
      return;
    }
    const text =
      answer.type === 'value'
        ? `${jsonText(answer.value)}\n`
        : answer.type === 'object'
          ? objectText(answer.served, answer.object, options as TextOptions)
          : [...listText(answer.served, answer.list, options as TextOptions)].join('');
    if (await exchange.mayAnswer()) await reply.send(head, isPlain ? text : exchange.textOf(text, media));
  }

  #textOptions({ query, parts }: Exchange, media: OutputMediaType): TextOptions {
    const { kind, version = 'v1' } = media.transformation ?? {};
    const includeObject = kind === 'Table' ? includeObjectOf(query) : 'Metadata';
    return { texts: this.#texts, media, table: { version, includeObject, now: parts.now() } };
  }

  async #watch(exchange: Exchange, route: Route): Promise<void> {
    const { query, parts, accept, info, reply } = exchange;
    const { timeoutSeconds, watch: options } = listRequestOf(query, { isWatch: info.hasWatchPrefix });
    const media = negotiateOrRefuse(accept, { allowsTransformation: true });
    checkNoWebSocket(exchange);
    const { served, namespace, name } = route;
    const target = { served, namespace, name: '', subresource: '' };
    const watch = await parts.api.watch(target, { ...options, ...selectName(options, name) });
    try {
      const textOptions = this.#textOptions(exchange, media);
      checkStreamable(media);
      if (!(await exchange.mayAnswer())) {
        watch.close();
        return;
      }
      const frames = new WatchFrames(served, textOptions, parts.now);
      reply.start({ code: 200, contentType: 'application/json' });
      const fault = exchange.fault?.do === 'watch' ? exchange.fault.fault : undefined;
      const stream = new WatchStream({ watch, frames, response: reply.response, fault, onBug: (error) => exchange.reportBug(error) });
      await this.#run(stream, exchange, timeoutSeconds);
    } catch (error) {
      watch.close();
      throw error;
    }
  }

  async #run(stream: WatchStream, exchange: Exchange, timeoutSeconds: number | undefined): Promise<void> {
    const { parts } = exchange;
    const { minWatchMs = LIMIT_DEFAULTS.minWatchMs } = parts.limits ?? {};
    // At random, so that watches that began together do not come back together.
    const ms = timeoutSeconds ? timeoutSeconds * 1000 : minWatchMs * (1 + Math.random());
    const cancel = (parts.timer ?? systemClock).schedule(Math.max(ms, 0), () => stream.finish({ withBookmark: ms > LAST_BOOKMARK_MS }));
    this.#watches.add(stream);
    exchange.countEvents = () => stream.events;
    exchange.tell('watching');
    await stream.ended;
    this.#watches.delete(stream);
    cancel();
  }
}

function checkNoWebSocket({ request }: Exchange): void {
  const { upgrade = '' } = request.headers;
  if (upgrade.toLowerCase() === 'websocket') throw notImplemented('a watch over a WebSocket');
}
