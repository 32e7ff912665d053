/** A request by its headers. */
export type RequestHeaders = Readonly<Record<string, string | undefined>>;

export interface OpenApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Documents as bytes, which all answers share; all else as text. */
  readonly body: string | Uint8Array;
  readonly isNeverCompressed?: true;
}

export interface Content {
  readonly made: Date;
  /** Undefined: it has no tag. */
  readonly hash?: string;
  /** Headers of the answer, whether or not it has a body. */
  readonly answer: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** 304 for a client that has this very document. Source: Go `net/http/fs.go` (ServeContent). */
export function unlessKnown(headers: RequestHeaders, { made, hash, answer, body }: Content): OpenApiAnswer {
  const date = { 'Last-Modified': made.toUTCString() };
  if (isKnown(headers, { made, hash })) {
    const { 'Content-Type': _, ...rest } = answer;
    // A tag says more than the date.
    return { status: 304, headers: { ...rest, ...(hash === undefined ? date : {}) }, body: '' };
  }
  return { status: 200, headers: { ...answer, ...date, 'Accept-Ranges': 'bytes' }, body };
}

function isKnown(headers: RequestHeaders, { made, hash }: { readonly made: Date; readonly hash: string | undefined }): boolean {
  const tags = headers['if-none-match'];
  const known = hash === undefined ? ['*'] : ['*', `"${hash}"`, `W/"${hash}"`];
  if (tags !== undefined) return tags.split(',').some((tag) => known.includes(tag.trim()));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Math.floor(made.getTime() / 1000) * 1000 <= since;
}
