/** A span that lasts as long as its call. */
export interface CallSpan {
  within<T>(act: () => T): T;
  end(error?: unknown): void;
}

/** Spans, if the process records them. */
export interface Tracing {
  readonly beginSpan: (name: string, attributes: Readonly<Record<string, string>>) => CallSpan;
}
