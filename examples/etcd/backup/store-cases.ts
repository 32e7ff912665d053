import type { BackupLocation, BackupStores } from './store.js';

export interface StoreRig {
  readonly stores: BackupStores;
  /** Empty at the start of each test. */
  readonly location: BackupLocation;
}

/** Cases that the controllers rely on, for each kind of store. */
export function storeCases(rigOf: () => StoreRig): void {
  async function* chunks(...texts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield typeof text === 'string' ? Buffer.from(text) : text;
  }

  async function contentOf(name: string): Promise<Buffer> {
    const { stores, location } = rigOf();
    const all: Uint8Array[] = [];
    for await (const chunk of await stores.read(location, name)) all.push(chunk);
    return Buffer.concat(all);
  }

  test('a backup is read as it was written, also in place of another', async () => {
    const { stores, location } = rigOf();
    await stores.write(location, 'ring/a', chunks('one ', 'two'));
    expect((await contentOf('ring/a')).toString()).toBe('one two');
    await stores.write(location, 'ring/a', chunks('three'));
    expect((await contentOf('ring/a')).toString()).toBe('three');
  });

  test('one that takes several parts, in chunks of any size', async () => {
    const { stores, location } = rigOf();
    const mebibyte = Buffer.alloc(1_024 * 1_024);
    for (let index = 0; index < mebibyte.length; index += 1) mebibyte[index] = index % 251;
    const sizes = [20, 1, 13];
    await stores.write(
      location,
      'large',
      chunks('head', ...sizes.map((size) => Buffer.concat(Array.from({ length: size }, () => mebibyte))), 'tail'),
    );
    const content = await contentOf('large');
    expect(content.equals(Buffer.concat([Buffer.from('head'), ...Array.from({ length: 34 }, () => mebibyte), Buffer.from('tail')]))).toBe(
      true,
    );
    expect(await stores.list(location, 'large')).toEqual([{ name: 'large', bytes: content.length }]);
  });

  test('names are listed by their prefix, and may have colons and spaces', async () => {
    const { stores, location } = rigOf();
    expect(await stores.list(location, '')).toEqual([]);
    for (const name of ['b/ring_v10_2030-01-01-00:00:00', 'b/ring_v9_2030-01-01-00:00:00', 'b/ring two', 'c'])
      await stores.write(location, name, chunks('x'));
    expect((await stores.list(location, 'b/ring_v')).map(({ name }) => name)).toEqual([
      'b/ring_v10_2030-01-01-00:00:00',
      'b/ring_v9_2030-01-01-00:00:00',
    ]);
    expect((await stores.list(location, '')).map(({ name }) => name)).toContain('b/ring two');
    expect((await contentOf('b/ring two')).toString()).toBe('x');
  });

  test('one that is removed is gone, and may be removed again', async () => {
    const { stores, location } = rigOf();
    await stores.write(location, 'ring/a', chunks('x'));
    await stores.remove(location, 'ring/a');
    await stores.remove(location, 'ring/a');
    expect(await stores.list(location, 'ring')).toEqual([]);
    await expect(stores.read(location, 'ring/a')).rejects.toMatchObject({ code: 'NotFound' });
  });

  test('a stream that breaks stores nothing, and leaves what was there', async () => {
    const { stores, location } = rigOf();
    await stores.write(location, 'ring/a', chunks('whole'));
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(17 * 1_024 * 1_024);
      throw new Error('etcd is gone');
    };
    await expect(stores.write(location, 'ring/a', broken())).rejects.toThrow('etcd is gone');
    await expect(stores.write(location, 'ring/b', broken())).rejects.toThrow('etcd is gone');
    expect((await contentOf('ring/a')).toString()).toBe('whole');
    expect(await stores.list(location, '')).toEqual([{ name: 'ring/a', bytes: 5 }]);
  });

  test('a write that is aborted stores nothing', async () => {
    const { stores, location } = rigOf();
    const abort = new AbortController();
    const slow = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('first');
      abort.abort(new Error('the backup was deleted'));
      yield Buffer.from('second');
    };
    await expect(stores.write(location, 'ring/a', slow(), { signal: abort.signal })).rejects.toThrow('the backup was deleted');
    expect(await stores.list(location, '')).toEqual([]);
  });
}
