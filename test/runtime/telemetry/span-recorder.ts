import { AsyncLocalStorage } from 'node:async_hooks';
import * as api from '@opentelemetry/api';

export interface RecordedSpan {
  readonly name: string;
  readonly parent: string | undefined;
  readonly kind: 'client' | 'internal';
  readonly attributes: object;
  status?: string;
  readonly exceptions: string[];
  hasEnded: boolean;
}

/** As much of an SDK as shows what was recorded. */
export class SpanRecorder {
  readonly spans: RecordedSpan[] = [];

  /** The global SDK until {@link disable}. */
  static register(): SpanRecorder {
    const recorder = new SpanRecorder();
    recorder.#register();
    return recorder;
  }

  disable(): void {
    api.trace.disable();
    api.context.disable();
  }

  #register(): void {
    const storage = new AsyncLocalStorage<api.Context>();
    const active = (): api.Context => storage.getStore() ?? api.ROOT_CONTEXT;
    api.context.setGlobalContextManager({
      active,
      with: (context, act, thisArg, ...args) => storage.run(context, () => act.apply(thisArg as never, args)),
      bind: (_context, target) => target,
      enable() {
        return this;
      },
      disable() {
        return this;
      },
    });
    const startSpan = (name: string, options: api.SpanOptions = {}, context = active()): api.Span => this.#span(name, options, context);
    const startActiveSpan = (name: string, options: api.SpanOptions, act: (span: api.Span) => unknown): unknown => {
      const span = startSpan(name, options);
      return api.context.with(api.trace.setSpan(active(), span), () => act(span));
    };
    api.trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan }) as unknown as api.Tracer });
  }

  #span(name: string, { attributes = {}, kind }: api.SpanOptions, context: api.Context): api.Span {
    const parent = api.trace.getSpan(context) as unknown as { recorded?: RecordedSpan } | undefined;
    const recorded: RecordedSpan = {
      name,
      parent: parent?.recorded?.name,
      kind: kind === api.SpanKind.CLIENT ? 'client' : 'internal',
      attributes,
      exceptions: [],
      hasEnded: false,
    };
    this.spans.push(recorded);
    const span = {
      recorded,
      setStatus: ({ message = '' }: api.SpanStatus) => {
        recorded.status = message;
        return span;
      },
      recordException: (exception: { message: string }) => void recorded.exceptions.push(exception.message),
      end: () => {
        recorded.hasEnded = true;
      },
    };
    return span as unknown as api.Span;
  }
}
