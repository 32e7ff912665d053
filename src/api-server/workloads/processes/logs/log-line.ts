/** A line of a container's output. */
export interface LogLine {
  readonly time: Date;
  readonly stream: 'stderr' | 'stdout';
  /** Without its newline. */
  readonly text: string;
  /** The line goes on: it was longer than {@link MAX_LINE_BYTES}, or the process ended within it. */
  readonly isPartial: boolean;
}

/** Longer lines are cut into parts, as container runtimes do. */
const MAX_LINE_BYTES = 16 * 1024;
/** UTF-8 takes four at most. */
const MAX_CHARACTER_BYTES = 4;

/** The form of the kubelet's log files: `2030-01-01T00:00:00.000000000Z stdout F text`. */
export function storedText({ time, stream, text, isPartial }: LogLine): string {
  return `${nanoText(time)} ${stream} ${isPartial ? 'P' : 'F'} ${text}\n`;
}

export function parsedLine(stored: string): LogLine | undefined {
  const [, time = '', stream, tag, text = ''] = /^(\S+) (stdout|stderr) ([FP]) (.*)$/s.exec(stored) ?? [];
  return stream === undefined ? undefined : { time: new Date(time), stream: stream as LogLine['stream'], text, isPartial: tag === 'P' };
}

function nanoText(time: Date): string {
  return `${time.toISOString().slice(0, -1)}000000Z`;
}

/** Cuts output into lines. */
export class LineCutter {
  #rest = Buffer.alloc(0);

  add(chunk: Buffer): readonly { readonly text: string; readonly isPartial: boolean }[] {
    const lines: { text: string; isPartial: boolean }[] = [];
    let data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const end = data.indexOf(0x0a);
      if (end >= 0 && end <= MAX_LINE_BYTES) {
        lines.push({ text: data.toString('utf8', 0, end), isPartial: false });
        data = data.subarray(end + 1);
      } else if (data.length > MAX_LINE_BYTES) {
        const cut = characterStart(data, MAX_LINE_BYTES);
        lines.push({ text: data.toString('utf8', 0, cut), isPartial: true });
        data = data.subarray(cut);
      } else break;
    }
    this.#rest = Buffer.from(data);
    return lines;
  }

  /** The rest that came without a newline. */
  end(): readonly { readonly text: string; readonly isPartial: boolean }[] {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest.length === 0 ? [] : [{ text: rest.toString('utf8'), isPartial: true }];
  }
}

/** `at`, or where the character begins that `at` would cut in two. */
function characterStart(data: Buffer, at: number): number {
  let start = at;
  while (at - start < MAX_CHARACTER_BYTES - 1 && ((data[start] as number) & 0xc0) === 0x80) start -= 1;
  // Bytes that are not UTF-8 may be cut anywhere.
  return ((data[start] as number) & 0xc0) === 0x80 ? at : start;
}

export interface LogSelection {
  readonly tailLines?: number | undefined;
  readonly since?: Date | undefined;
  readonly hasTimestamps?: boolean | undefined;
  readonly stream?: LogLine['stream'] | undefined;
}

/** The lines that are asked for. Each partial line counts, as in the files of a kubelet. */
export function selected(lines: readonly LogLine[], { tailLines, since, stream }: LogSelection): readonly LogLine[] {
  const wanted = lines.filter((line) => isSelected(line, { since, stream }));
  return tailLines === undefined ? wanted : wanted.slice(Math.max(0, wanted.length - tailLines));
}

export function isSelected({ time, stream }: LogLine, wanted: Pick<LogSelection, 'since' | 'stream'>): boolean {
  return (wanted.since === undefined || time >= wanted.since) && (wanted.stream === undefined || wanted.stream === stream);
}

export function shownText(line: LogLine, { hasTimestamps = false }: LogSelection): string {
  const end = line.isPartial ? '' : '\n';
  return `${hasTimestamps ? `${nanoText(line.time)} ` : ''}${line.text}${end}`;
}
