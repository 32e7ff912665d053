import type { JsonObject, RequestUser } from '../contract/index.js';

/** A request for a path that is not a resource's: discovery, OpenAPI, `/version`, health. */
export interface DocumentRequest {
  readonly method: string;
  /** Percent escapes resolved. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly user: RequestUser;
}

export interface DocumentText {
  readonly status: number;
  /**
   * Names as they shall be sent. `Audit-Id`, `Content-Length`, `Date` and, where it is not given, `Cache-Control: no-cache, private` are added; a body of more
   * than 128 KiB is compressed for clients that accept gzip, unless a `Content-Encoding` is given or {@link isNeverCompressed} is set.
   */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly isNeverCompressed?: boolean;
}

/** An object that is written as the client wants it: JSON, indented JSON or YAML. */
export interface DocumentObject {
  readonly status: number;
  /** Beside `Content-Type`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly object: JsonObject;
}

export type DocumentAnswer = DocumentText | DocumentObject;

/**
 * Answers for one path or a tree of them. A method that is not served is answered by throwing {@link methodNotAllowed}.
 * @returns undefined for a path that is not there after all: 404
 * @throws StatusError is answered with its Status, PlainAnswer as it is
 */
export type DocumentHandler = (request: DocumentRequest) => DocumentAnswer | undefined | Promise<DocumentAnswer | undefined>;

/** The paths beside the resources, as of now: they change as definitions come and go. */
export interface Documents {
  /** Undefined: 404. */
  find(path: string): DocumentHandler | undefined;
}
