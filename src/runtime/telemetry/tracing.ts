import { isError, messageOf } from '@keelson/kubernetes/apimachinery';
import type { Span, SpanOptions } from '@opentelemetry/api';
import type { Logger } from 'keelson/internal/definition';
import type { Clock } from '../clock/index.js';
import type { AttemptReport } from '../http/index.js';
import { safeText } from './log-fields.js';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Records spans, if an OpenTelemetry SDK collects them; everything it is given runs either way. */
export interface Tracing {
  /** Runs `act` in a span that ends with it; what it throws is written down and thrown on. Spans begun within are its children. */
  inSpan<T>(name: string, attributes: SpanAttributes, act: () => Promise<T>): Promise<T>;
  /** Begins a span that its caller ends; what runs within it has it as its parent. For calls of other systems. */
  beginSpan(name: string, attributes: SpanAttributes): { within<T>(act: () => T): T; end(error?: unknown): void };
  /** Headers that make a request part of the trace in which it is sent, such as `traceparent`. For the transport's `headers`. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** A request that is over, as a child of the span in which it was sent. For the transport's `onAttempt`. */
  readonly onAttempt: (report: AttemptReport) => void;
}

type OpenTelemetry = Pick<typeof import('@opentelemetry/api'), 'trace' | 'context' | 'propagation' | 'SpanStatusCode' | 'SpanKind'>;

export interface TracingOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Imports `@opentelemetry/api`. */
  readonly load?: (() => Promise<unknown>) | undefined;
}

/** The name stands in a variable so that neither compilers nor bundlers look for a package that need not be there. */
const PACKAGE: string = '@opentelemetry/api';

const NO_HEADERS: Readonly<Record<string, string>> = Object.freeze({});

const SILENT: Tracing = {
  headers: () => NO_HEADERS,
  inSpan: (_name, _attributes, act) => act(),
  beginSpan: () => ({ within: (act) => act(), end: () => {} }),
  onAttempt: () => {},
};

/**
 * Spans by OpenTelemetry's API, if it is installed; whatever SDK the operator's image registers collects them, and without one they cost nothing.
 *
 * An API that is there and cannot be loaded is logged: spans would be missing without a reason.
 */
export async function createTracing({ clock, log, load = () => import(PACKAGE) as Promise<unknown> }: TracingOptions): Promise<Tracing> {
  let loaded: unknown;
  try {
    loaded = await load();
  } catch (error) {
    if (!isAbsent(error)) log.warn(`${PACKAGE} is installed and cannot be loaded: there are no spans`, { error });
    return SILENT;
  }
  const { default: inDefault } = loaded as { default?: unknown };
  const api = (isApi(loaded) ? loaded : inDefault) as OpenTelemetry | undefined;
  if (isApi(api)) return tracingBy(api, clock);
  log.warn(`${PACKAGE} has no trace.getTracer: there are no spans; install version 1.x`);
  return SILENT;
}

function tracingBy({ trace, context, propagation, SpanStatusCode, SpanKind }: OpenTelemetry, clock: Clock): Tracing {
  const tracer = trace.getTracer('keelson');
  const fail = (span: Span, message: string): void => void span.setStatus({ code: SpanStatusCode.ERROR, message: safeText(message) });
  return {
    inSpan: (name, attributes, act) =>
      tracer.startActiveSpan(name, { attributes: { ...attributes } }, async (span) => {
        try {
          return await act();
        } catch (error) {
          const message = messageOf(error);
          span.recordException({ name: isError(error) ? error.name : 'Error', message: safeText(message) });
          fail(span, message);
          throw error;
        } finally {
          span.end();
        }
      }),
    beginSpan: (name, attributes) => {
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: { ...attributes } });
      const inside = trace.setSpan(context.active(), span);
      return {
        within: (act) => context.with(inside, act),
        end: (error) => {
          if (error !== undefined) {
            span.recordException({ name: isError(error) ? error.name : 'Error', message: safeText(messageOf(error)) });
            fail(span, messageOf(error));
          }
          span.end();
        },
      };
    },
    headers: () => {
      const active = context.active();
      if (trace.getSpan(active) === undefined) return NO_HEADERS;
      const carrier: Record<string, string> = {};
      // Without a propagator that the image registers, nothing is added.
      propagation.inject(active, carrier);
      return carrier;
    },
    onAttempt: ({ method, host, outcome, durationMs }) => {
      // A watch or a renewal of the lease belongs to no reconcile: it would be a trace of its own, again and again.
      if (trace.getSpan(context.active()) === undefined) return;
      const endMs = clock.wallMs();
      const options: SpanOptions = {
        kind: SpanKind.CLIENT,
        startTime: endMs - durationMs,
        attributes: {
          'http.request.method': method,
          'server.address': host,
          ...(typeof outcome === 'number' ? { 'http.response.status_code': outcome } : { 'error.type': outcome }),
        },
      };
      const span = tracer.startSpan(method, options);
      if (typeof outcome !== 'number' || outcome >= 400) fail(span, String(outcome));
      span.end(endMs);
    },
  };
}

function isAbsent(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && String(message).includes(PACKAGE);
}

function isApi(loaded: unknown): loaded is OpenTelemetry {
  return typeof (loaded as Partial<OpenTelemetry> | undefined)?.trace?.getTracer === 'function';
}
