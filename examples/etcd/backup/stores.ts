import { DirectoryStore } from './directory-store.js';
import { S3Store } from './s3-store.js';
import type { BackupLocation, BackupStores } from './store.js';

/** Folders and buckets. */
export function createBackupStores(): BackupStores {
  const at = (location: BackupLocation): DirectoryStore | S3Store =>
    location.type === 'S3' ? new S3Store(location) : new DirectoryStore(location);
  return {
    write: (location, name, chunks, options) => at(location).write(name, chunks, options),
    read: (location, name, options) => at(location).read(name, options),
    list: (location, prefix, options) => at(location).list(prefix, options),
    remove: (location, name, options) => at(location).remove(name, options),
  };
}
