import type { CacheClient, StoredObject } from '../../../src/runtime/cache/index.js';
import { WatchStream } from '../../../src/runtime/client/index.js';
import { key, object, scene, settle, stopAll } from './scene.js';

afterEach(stopAll);

/** The events of a watch as bytes, and how many of their objects were parsed. */
class Line {
  parsed = 0;
  #isOver = false;
  readonly #waiting: (() => void)[] = [];
  readonly #chunks: Buffer[] = [];

  get client(): CacheClient {
    const decode = (found: object): StoredObject => {
      this.parsed += 1;
      return found as StoredObject;
    };
    const stream = { status: 200, headers: {}, chunks: this.#read(), close: () => this.#end() };
    return {
      list: () => Promise.resolve({ items: [], resourceVersion: '5', continue: undefined, remainingItemCount: undefined }),
      watch: (_: unknown, { signal }: { signal: AbortSignal }) => {
        signal.addEventListener('abort', () => this.#end());
        return Promise.resolve(new WatchStream({ request: 'watch', stream, maxFrameBytes: 1e6, decode }));
      },
    } as unknown as CacheClient;
  }

  async send(type: string, found: StoredObject): Promise<void> {
    this.#chunks.push(Buffer.from(`${JSON.stringify({ type, object: found })}\n`));
    this.#proceed();
    await settle();
  }

  #end(): void {
    this.#isOver = true;
    this.#proceed();
  }

  #proceed(): void {
    for (const proceed of this.#waiting.splice(0)) proceed();
  }

  async *#read(): AsyncGenerator<Buffer, void, undefined> {
    while (!this.#isOver) {
      for (const chunk of this.#chunks.splice(0)) yield chunk;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}

test('the event of an own write is told with the object that reads show already, and is not parsed', async () => {
  const line = new Line();
  const { cache, informer, told, changes } = scene({ client: line.client });
  cache.start();
  await settle();
  informer.written(object('a', 7, { data: { color: 'blue' } }));
  const shown = informer.get(key('a'));
  await line.send('ADDED', object('a', 7, { data: { color: 'blue' } }));
  expect(told).toEqual(['added a@7']);
  expect(line.parsed).toBe(0);
  expect(changes[0]?.object).toBe(shown);
  expect(informer.get(key('a'))).toBe(shown);
});

test('an event of another version, of another object, or of a deletion is parsed, own write or not (H4, H5)', async () => {
  const line = new Line();
  const { cache, informer, told } = scene({ client: line.client });
  cache.start();
  await settle();
  informer.written(object('a', 9));
  await line.send('ADDED', object('a', 8));
  await line.send('ADDED', object('b', 9));
  expect(line.parsed).toBe(2);
  informer.written(object('a', 10));
  await line.send('DELETED', object('a', 11));
  expect(line.parsed).toBe(3);
  expect(told).toEqual(['added a@8', 'added b@9', 'deleted a@11']);
  expect(informer.get(key('a'))).toBeUndefined();
});

test('without own writes under way no line is looked at', async () => {
  const line = new Line();
  const { cache, informer } = scene({ client: line.client });
  cache.start();
  await settle();
  informer.written(object('a', 7));
  await line.send('ADDED', object('a', 7));
  await line.send('MODIFIED', object('a', 7));
  expect(line.parsed).toBe(1);
});

test('the event of an own write that does not fit is parsed, so that it is reported as the others are (H21)', async () => {
  const line = new Line();
  const { cache, informer } = scene({ client: line.client });
  cache.start();
  await settle();
  const unfit = (): StoredObject => object('a', 7, { metadata: { labels: { a: 1 } as never } });
  informer.written(unfit());
  expect(informer.invalidObjects).toEqual([]);
  await line.send('ADDED', unfit());
  expect(line.parsed).toBe(1);
  expect(informer.invalidObjects).toMatchObject([{ key: key('a') }]);
});

test('what a transform makes of an own write is made once, and is what the event brings', async () => {
  const line = new Line();
  let transformed = 0;
  const { cache, informer, changes } = scene({
    client: line.client,
    transform: (found) => {
      transformed += 1;
      return { ...found, data: { ...(found['data'] as object), seen: 'yes' } };
    },
  });
  cache.start();
  await settle();
  informer.written(object('a', 7, { data: { color: 'blue' } }));
  await line.send('ADDED', object('a', 7, { data: { color: 'blue' } }));
  expect([line.parsed, transformed]).toEqual([0, 1]);
  expect(changes[0]?.object).toMatchObject({ data: { color: 'blue', seen: 'yes' } });
});
