import { methodNotSupported } from '../status/index.js';
import type { BodyReader } from './body-object.js';
import { CachedTexts } from './cached-texts.js';
import { noAcceptableRepresentation } from './generic-errors.js';
import { listRequestOf } from './list-options.js';
import { negotiateOrRefuse, producesFor } from './media-types.js';
import type { HttpParts } from './parts.js';
import { type Rendered, renderedAnswer, renderedDocument, renderedStatus } from './rendering.js';
import { ResourceRequest } from './resource-request.js';
import { type Route, Routes } from './routes.js';
import type { Handle, Stream } from './serve-request.js';
import type { ServedRequest } from './served-request.js';
import { connectionStream, textStream } from './streams.js';
import { WatchRequests } from './watch-requests.js';
import type { WatchStream } from './watch-stream.js';

/** Brings a request to its document or its resource, and the answer into the form that the client wants. */
export class Dispatcher {
  readonly #parts: HttpParts;
  readonly #routes: Routes;
  readonly #reader: BodyReader;
  readonly #texts = new CachedTexts();
  readonly #watches: WatchRequests;

  constructor(parts: HttpParts) {
    this.#parts = parts;
    this.#routes = new Routes(parts.catalog);
    this.#reader = parts.protobuf === undefined ? {} : { protobuf: parts.protobuf };
    this.#watches = new WatchRequests(parts, this.#texts);
  }

  /** Watches that are on. */
  get watches(): ReadonlySet<WatchStream> {
    return this.#watches.streams;
  }

  readonly dispatch: Handle = (request) => (request.info.isResourceRequest ? this.#resource(request) : this.#document(request));

  async #document(request: ServedRequest): Promise<Rendered> {
    const { info, method, query, user, message } = request;
    const { path } = info;
    const handler = this.#parts.documents.find(path);
    const answer = await handler?.({ method, path, query, headers: message.headers, user });
    if (answer === undefined) throw this.#routes.unknownPath(path, path.split('/')[2] ?? '');
    return renderedDocument(request, answer);
  }

  async #resource(request: ServedRequest): Promise<Rendered | Stream> {
    const { accept, info, method, reply, query } = request;
    const route = this.#routes.find(method, info);
    checkProduced(accept, route);
    const { deprecationWarning } = route.served.version;
    if (deprecationWarning !== undefined) reply.warnings.add(deprecationWarning);
    if (route.verb === 'watch') {
      // Computed when they are asked for, as component statuses are: nothing would ever be sent.
      if (!route.served.version.verbs.includes('watch')) {
        listRequestOf(query, { isWatch: true });
        throw methodNotSupported(route.served.resource, 'watch');
      }
      return this.#watches.open(request, route);
    }
    // The options of a list are checked before its form.
    if (route.verb === 'list') listRequestOf(query);
    const media = negotiateOrRefuse(accept, { allowsTransformation: true });
    const answer = await new ResourceRequest(request, route, { ...this.#parts, reader: this.#reader }).handle();
    if (answer.type === 'stream') return textStream(request, answer.stream);
    if (answer.type === 'connection') return connectionStream(request, answer.connection);
    if (answer.type === 'status') return renderedStatus(request, answer.status);
    return renderedAnswer(request, answer, { media, texts: this.#texts, now: this.#parts.now() });
  }
}

/** @throws StatusError 406 */
function checkProduced(accept: string, { served, verb }: Route): void {
  if (served.resource.isCustom) return;
  const produces = producesFor(accept, { isList: verb === 'list' || verb === 'watch' });
  if (produces !== undefined) throw noAcceptableRepresentation(produces);
}
