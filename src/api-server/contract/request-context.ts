/** The user of a request, as authentication found out (`authentication.k8s.io` UserInfo). */
export interface RequestUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export type FieldValidationMode = 'Strict' | 'Warn' | 'Ignore';

/** The facts of a request that every step may need. */
export interface RequestContext {
  readonly user: RequestUser;
  /** From the parameter, else from the User-Agent; never empty (`unknown`). */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidationMode;
  /** The parameters as they were sent: admission sees them as the options of the request. Default: none were sent. */
  readonly parameters?: { readonly fieldManager?: string; readonly fieldValidation?: string };
  /** Everything but the write is done. */
  readonly isDryRun: boolean;
  /** Time of the server, which tests may move. */
  readonly now: () => Date;
  /** Adds a `Warning` header. */
  readonly warn: (text: string) => void;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Asked before a write turns out to be of another verb than the request (an apply or update that creates). @throws StatusError 403 */
  readonly authorize: (verb: string) => void;
  /** Registers `release`, which the registry calls when the write is stored or refused. Absent where nothing is written by the registry. */
  readonly afterWrite?: (release: () => void) => void;
}
