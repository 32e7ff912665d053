import { external } from 'keelson';

/** Where backups lie. */
export type BackupLocation = DirectoryLocation | S3Location;

/** A folder of the operator's own file system: a volume that its Deployment mounts. */
export interface DirectoryLocation {
  readonly type: 'Directory';
  readonly directory: string;
}

/** A bucket of S3, or of a server with its API. */
export interface S3Location {
  readonly type: 'S3';
  readonly bucket: string;
  /** As `https://s3.example.com`. @defaultValue that of AWS for the region */
  readonly endpoint?: string | undefined;
  readonly region: string;
  /** The bucket is part of the path, not of the host name. */
  readonly forcePathStyle: boolean;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string | undefined };
}

export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
}

export interface StoreOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Backups of all locations. Names may have slashes. */
export interface BackupStores {
  /**
   * Stores all chunks under a name, in place of what is there. Until it resolves, readers find what was there before, or nothing.
   *
   * @throws what `chunks` throws: nothing is stored then
   */
  write(location: BackupLocation, name: string, chunks: AsyncIterable<Uint8Array>, options?: StoreOptions): Promise<void>;
  /** @throws BackupStoreError `NotFound` */
  read(location: BackupLocation, name: string, options?: StoreOptions): Promise<AsyncIterable<Uint8Array>>;
  /** All whose names begin with the prefix, by name. */
  list(location: BackupLocation, prefix: string, options?: StoreOptions): Promise<readonly StoredBackup[]>;
  /** Removing what is not there is not an error. */
  remove(location: BackupLocation, name: string, options?: StoreOptions): Promise<void>;
}

/** Stores of backups, for `uses`. The process gives `createBackupStores()`, tests a `MemoryStores`. */
export const stores = external<BackupStores>();

/**
 * | code | means |
 * |---|---|
 * | `NotFound` | no bucket, no folder, or no backup of that name |
 * | `Denied` | credentials are wrong, or lack a right |
 * | `Unavailable` | the store does not answer, or not now |
 * | `Invalid` | the store does not take the request as it is |
 */
export type BackupStoreErrorCode = 'NotFound' | 'Denied' | 'Unavailable' | 'Invalid';

export class BackupStoreError extends Error {
  override readonly name = 'BackupStoreError';
  readonly code: BackupStoreErrorCode;

  constructor(code: BackupStoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
  }
}
