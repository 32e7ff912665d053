import { external } from 'keelson';
import type { BackupLocation, BackupStores } from '../backup/store.js';

/** A backup that a restore wants. */
export interface Offer {
  readonly location: BackupLocation;
  readonly path: string;
  readonly bytes: number;
  /** Runs of the restore renew it: one that was deleted is offered no longer. */
  readonly until: Date;
}

export interface OfferContext {
  readonly stores: BackupStores;
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

/** Backups of restores that are under way, by the uid of the EtcdRestore. The leader alone has any. */
export class Offers {
  readonly #offers = new Map<string, Offer>();

  make(id: string, offer: Offer): void {
    this.#offers.set(id, offer);
  }

  withdraw(id: string): void {
    this.#offers.delete(id);
  }

  /** Answers `GET /v1/backup/<uid>`. The uid is the key: it is drawn at random, and only readers of the EtcdRestore know it. */
  async answer(request: Request, { stores, signal, now }: OfferContext): Promise<Response> {
    const id = /^\/v1\/backup\/([\w-]+)$/.exec(new URL(request.url).pathname)?.[1];
    if (id === undefined || request.method !== 'GET') return new Response('GET /v1/backup/<uid of an EtcdRestore>\n', { status: 404 });
    const offer = this.#offers.get(id);
    if (offer !== undefined && offer.until < now()) this.withdraw(id);
    // A replica that does not lead, or one that leads since a moment: the container asks again.
    if (offer === undefined || offer.until < now())
      return new Response('no such restore is under way here\n', { status: 503, headers: { 'Retry-After': '1' } });
    const chunks = await stores.read(offer.location, offer.path, { signal });
    const stream = ReadableStream.from(chunks) as ReadableStream<Uint8Array>;
    return new Response(stream, { headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': String(offer.bytes) } });
  }
}

/** For `uses` of the controller and of the endpoint: each process gives one to both. */
export const offers = external<Pick<Offers, 'make' | 'withdraw' | 'answer'>>();
