import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import { answer } from './http-listener.js';

/** Go's paths, so that the habit carries over; what comes is in V8's formats, for the developer tools of a browser. */
const PROFILE_PATHS = { heap: '/debug/pprof/heap', cpu: '/debug/pprof/profile' } as const;

const SECONDS = { default: 30, max: 300 } as const;
const CHUNK_CHARACTERS = 65_536;

/**
 * Takes heap snapshots and CPU profiles of this process, one at a time.
 *
 * A heap snapshot holds every string of the process, secrets included, stops it for seconds and needs as much memory again: leadership may be lost meanwhile.
 */
export class Profiles {
  readonly #clock: Clock;
  readonly #log: Logger;
  #isBusy = false;

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Answers a request for a profile; `false` if the path is not that of a profile. */
  async serve(path: string, query: URLSearchParams, response: ServerResponse): Promise<boolean> {
    if (path !== PROFILE_PATHS.heap && path !== PROFILE_PATHS.cpu) return false;
    const seconds = Number(query.get('seconds') ?? SECONDS.default);
    if (!(seconds > 0 && seconds <= SECONDS.max)) {
      answer(response, 400, `seconds: must be more than 0 and at most ${SECONDS.max}\n`);
      return true;
    }
    if (this.#isBusy) {
      answer(response, 503, 'a profile is being taken; one at a time\n');
      return true;
    }
    this.#isBusy = true;
    try {
      this.#log.warn('a profile of this process is taken', { path });
      await (path === PROFILE_PATHS.heap ? heapSnapshot(response) : this.#cpuProfile(seconds * 1_000, response));
    } finally {
      this.#isBusy = false;
    }
    return true;
  }

  async #cpuProfile(durationMs: number, response: ServerResponse): Promise<void> {
    const { Session } = await import('node:inspector');
    const session = new Session();
    session.connect();
    try {
      await posted((done) => session.post('Profiler.enable', done));
      await posted((done) => session.post('Profiler.start', done));
      await this.#passed(durationMs, response);
      const profile = await new Promise<unknown>((resolve, reject) =>
        session.post('Profiler.stop', (error, result) => (error === null ? resolve(result.profile) : reject(error))),
      );
      await send(response, 'profile.cpuprofile', chunksOf(JSON.stringify(profile)));
    } finally {
      session.disconnect(); // ends a profile that is still being taken
    }
  }

  /** Ends early when the caller does not wait for the answer any more. */
  #passed(durationMs: number, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        response.off('close', end);
        resolve();
      };
      const cancel = this.#clock.schedule(durationMs, end);
      response.once('close', end);
    });
  }
}

async function heapSnapshot(response: ServerResponse): Promise<void> {
  const { getHeapSnapshot } = await import('node:v8');
  await send(response, 'heap.heapsnapshot', getHeapSnapshot());
}

/** The answer goes out as fast as it is read: nothing is held twice. */
async function send(response: ServerResponse, name: string, source: Readable): Promise<void> {
  if (response.destroyed) {
    source.destroy();
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  await pipeline(source, response);
}

function chunksOf(text: string): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < text.length; at += CHUNK_CHARACTERS) yield Buffer.from(text.slice(at, at + CHUNK_CHARACTERS));
    })(),
    { objectMode: false },
  );
}

function posted(post: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => post((error) => (error === null ? resolve() : reject(error))));
}
