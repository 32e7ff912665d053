/** Stored objects of custom resources follow the storage version: an old version can be dropped once this has run. */
export { type MigrationObserver, StoredVersionMigration, type StoredVersionMigrationOptions } from './stored-version-migration.js';
