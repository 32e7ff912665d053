import { MalformedResponseError } from '../http/index.js';
import type { ObjectList } from './object-list.js';

/** Far more objects of one kind than a cluster works with; empty pages count as one object each. */
const MAX_OBJECTS = 2_000_000;

/**
 * Follows the pages of one list, so that a server which never ends it is found out.
 *
 * A token that comes again means a circle, of whatever length: each token is compared with one kept of those before, and the kept one moves on each time that
 * twice as many pages have come (Brent's way of finding circles), so that one token is enough memory.
 */
export class PageGuard {
  readonly #request: string;
  #objects = 0;
  #pages = 0;
  #kept: string | undefined;
  #keptAtPage = 0;

  /** @param request in words, for messages */
  constructor(request: string) {
    this.#request = request;
  }

  /** @throws MalformedResponseError when the pages go round in circles, or are too many */
  check({ items, continue: token }: Pick<ObjectList<unknown>, 'items' | 'continue'>): void {
    if (token === undefined) return;
    this.#pages += 1;
    this.#objects += Math.max(1, items.length);
    if (token === this.#kept)
      throw new MalformedResponseError(this.#request, `the list never ends: after page ${this.#pages} its pages begin anew`);
    if (this.#objects > MAX_OBJECTS)
      throw new MalformedResponseError(
        this.#request,
        `the list never ends: it goes on after ${this.#pages} pages, ${MAX_OBJECTS} objects and more`,
      );
    if (this.#pages < 2 * this.#keptAtPage) return;
    this.#kept = token;
    this.#keptAtPage = this.#pages;
  }
}
