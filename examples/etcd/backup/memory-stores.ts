import { type BackupLocation, BackupStoreError, type BackupStores, type StoredBackup, type StoreOptions } from './store.js';

/** Backups in memory, for tests. */
export class MemoryStores implements BackupStores {
  readonly #backups = new Map<string, Buffer>();

  async write(location: BackupLocation, name: string, chunks: AsyncIterable<Uint8Array>, { signal }: StoreOptions = {}): Promise<void> {
    const all: Uint8Array[] = [];
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      all.push(chunk);
    }
    this.#backups.set(keyOf(location, name), Buffer.concat(all));
  }

  async read(location: BackupLocation, name: string): Promise<AsyncIterable<Uint8Array>> {
    const bytes = this.#backups.get(keyOf(location, name));
    if (bytes === undefined) throw new BackupStoreError('NotFound', `there is no backup ${name}`);
    return (async function* () {
      yield bytes;
    })();
  }

  async list(location: BackupLocation, prefix: string): Promise<readonly StoredBackup[]> {
    const start = keyOf(location, prefix);
    const found = [...this.#backups].filter(([key]) => key.startsWith(start));
    return found
      .map(([key, bytes]) => ({ name: key.slice(keyOf(location, '').length), bytes: bytes.length }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async remove(location: BackupLocation, name: string): Promise<void> {
    this.#backups.delete(keyOf(location, name));
  }

  /** A bit of a stored backup turns over. */
  damage(location: BackupLocation, name: string): void {
    const bytes = this.#backups.get(keyOf(location, name));
    if (bytes !== undefined) bytes[0] = (bytes[0] ?? 0) ^ 1;
  }

  /** Names of all backups. */
  get names(): readonly string[] {
    return [...this.#backups.keys()].sort();
  }
}

function keyOf(location: BackupLocation, name: string): string {
  return `${location.type === 'S3' ? `s3://${location.bucket}` : `file://${location.directory}`}/${name}`;
}
