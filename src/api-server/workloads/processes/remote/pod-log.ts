import { type FieldError, invalid, parseGoInt } from '@keelson/kubernetes/apimachinery';
import type { Pod } from '@keelson/kubernetes/kinds';
import { badRequest, invalidObject } from '../../../status/index.js';
import { type ContainerLog, isSelected, type LogLine, type LogSelection, selected, shownText } from '../logs/index.js';

/** Most bytes that wait for a client that follows a log and does not read. */
const MOST_WAITING = 4 * 1024 * 1024;

/** The Pods whose logs there are. */
export interface LogSource {
  logOf(pod: Pod, container: string, options: { readonly isPrevious: boolean }): ContainerLog | undefined;
}

export interface LogQuestion {
  readonly query: URLSearchParams;
  readonly container: string;
  readonly now: Date;
}

interface LogOptions extends LogSelection {
  readonly isFollowed: boolean;
  readonly isPrevious: boolean;
  readonly limitBytes: number | undefined;
}

/**
 * The log of a container as `kubectl logs` asks for it.
 *
 * Sources: `ValidatePodLogOptions` in kubernetes `pkg/apis/core/validation`, `validateContainerLogStatus` in `pkg/kubelet/kubelet_pods.go`.
 * @throws StatusError 400 for a container without a log, 422 for options that contradict each other
 */
export function podLog(pod: Pod, { query, container, now }: LogQuestion, source: LogSource): AsyncIterable<Uint8Array> {
  const options = optionsOf(query, now);
  const log = source.logOf(pod, container, options);
  if (log === undefined) throw badRequest(absence(pod, container, options.isPrevious));
  return pieces(log, options);
}

function absence({ metadata, status }: Pod, container: string, isPrevious: boolean): string {
  if (isPrevious) return `previous terminated container "${container}" in pod "${metadata.name}" not found`;
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const { reason = 'ContainerCreating' } = statuses.find(({ name }) => name === container)?.state?.waiting ?? {};
  return `container "${container}" in pod "${metadata.name}" is waiting to start: ${reason}`;
}

function optionsOf(query: URLSearchParams, now: Date): LogOptions {
  const [tailLines, sinceSeconds, limitBytes] = ['tailLines', 'sinceSeconds', 'limitBytes'].map((name) => integerOf(query, name));
  const sinceTime = query.get('sinceTime') ?? undefined;
  const errors: FieldError[] = [
    ...(tailLines !== undefined && tailLines < 0 ? [invalid('tailLines', tailLines, 'must be greater than or equal to 0')] : []),
    ...(limitBytes !== undefined && limitBytes < 1 ? [invalid('limitBytes', limitBytes, 'must be greater than 0')] : []),
  ];
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push({
      reason: 'FieldValueForbidden',
      field: '',
      message: 'Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    });
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  if (errors.length > 0) throw invalidObject({ group: '', kind: 'PodLogOptions' }, '', errors);
  const since = sinceSeconds === undefined ? sinceTime && new Date(sinceTime) : new Date(now.getTime() - sinceSeconds * 1000);
  const stream = query.get('stream');
  return {
    tailLines,
    limitBytes,
    since: since === '' || since === undefined ? undefined : since,
    hasTimestamps: isTrue(query, 'timestamps'),
    isFollowed: isTrue(query, 'follow'),
    isPrevious: isTrue(query, 'previous'),
    stream: stream === 'Stdout' ? 'stdout' : stream === 'Stderr' ? 'stderr' : undefined,
  };
}

function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const integer = parseGoInt(text);
  if (typeof integer === 'string') throw badRequest(integer);
  return Number(integer);
}

function isTrue(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}

async function* pieces(log: ContainerLog, options: LogOptions): AsyncGenerator<Uint8Array> {
  const { isFollowed, limitBytes = Number.POSITIVE_INFINITY } = options;
  let left = limitBytes;
  const cut = (text: string): Buffer => {
    const bytes = Buffer.from(text).subarray(0, left);
    left -= bytes.length;
    return bytes;
  };
  // Followed from before the lines are read, so that none is missed; both happen in one turn, so that none comes twice.
  const coming = isFollowed && log.isOpen ? new ComingLines(log, options) : undefined;
  try {
    const text = selected(log.lines(), options)
      .map((line) => shownText(line, options))
      .join('');
    if (text !== '') yield cut(text);
    while (coming !== undefined && left > 0) {
      const next = await coming.next();
      if (next === undefined) return;
      yield cut(next);
    }
  } finally {
    coming?.close();
  }
}

/** Lines that are written while a log is followed. */
class ComingLines {
  readonly #texts: string[] = [];
  readonly #close: () => void;
  #bytes = 0;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(log: ContainerLog, options: LogSelection) {
    this.#close = log.follow((line) => {
      if (line === undefined || this.#bytes > MOST_WAITING) this.#isOver = true;
      else this.#add(line, options);
      this.#wake();
    });
  }

  /** All that has come; undefined: no more comes. */
  async next(): Promise<string | undefined> {
    while (this.#texts.length === 0) {
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#bytes = 0;
    return this.#texts.splice(0).join('');
  }

  close(): void {
    this.#close();
    this.#isOver = true;
    this.#wake();
  }

  #add(line: LogLine, options: LogSelection): void {
    if (!isSelected(line, options)) return;
    const text = shownText(line, options);
    this.#texts.push(text);
    this.#bytes += text.length;
  }
}
