import type { WriteOptions } from './options.js';
import type { Query } from './selection.js';

/** Defaults of every write. */
export interface WriteDefaults {
  /** The owner of written fields, as managed fields name it. @defaultValue none: the server takes the beginning of the User-Agent; server-side apply must have one */
  readonly fieldManager?: string | undefined;
  /** How the server treats fields that the schema lacks. @defaultValue the server's: `Warn` */
  readonly fieldValidation?: WriteOptions['fieldValidation'];
  /** With true, no call stores anything. @defaultValue false */
  readonly dryRun?: boolean | undefined;
}

export function isDryRun(defaults: WriteDefaults, { dryRun }: { readonly dryRun?: boolean | undefined }): boolean {
  return dryRun ?? defaults.dryRun ?? false;
}

export function writeQuery(defaults: WriteDefaults, options: WriteOptions): Query {
  return {
    fieldManager: options.fieldManager ?? defaults.fieldManager,
    fieldValidation: options.fieldValidation ?? defaults.fieldValidation,
    dryRun: isDryRun(defaults, options) ? 'All' : undefined,
  };
}
