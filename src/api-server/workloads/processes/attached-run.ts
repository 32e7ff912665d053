import { type Readable, Writable } from 'node:stream';
import type { Container } from '@keelson/kubernetes/kinds';
import type { Child, TerminalSize } from './machine/index.js';

/** One stream of a program, from now on. */
export interface AttachedStream {
  onData(listener: (chunk: Buffer) => void): void;
}

/** The streams of a run, for a client that is attached to it. */
export interface AttachedRun {
  readonly stdin: Writable;
  readonly stdout: AttachedStream;
  readonly stderr: AttachedStream;
  /** Undefined: the container has no terminal. */
  readonly resize: ((size: TerminalSize) => void) | undefined;
  /** Settles when the run has ended, or the client has ended its input and is to see no more. */
  readonly ended: Promise<unknown>;
  /** Nothing more is listened to. */
  release(): void;
}

/**
 * The end of a client's input is the program's only where the container says `stdinOnce`. A terminal goes on: its client leaves with its input, and the program stays.
 *
 * Source: `ContainerIO.Attach` in containerd `internal/cri/io/container_io.go`, 2.1.
 */
export function attachedRun(child: Child, { stdinOnce, tty }: Pick<Container, 'stdinOnce' | 'tty'>): AttachedRun {
  const releases: (() => void)[] = [];
  const attached = (source: Readable): AttachedStream => ({
    onData(listener) {
      source.on('data', listener);
      releases.push(() => source.off('data', listener));
    },
  });
  const endsInput = stdinOnce === true && tty !== true;
  const endInput = (): void => {
    if (endsInput) child.stdin?.end();
  };
  const stdin = inputOf(child, endInput);
  const left = new Promise<void>((resolve) => {
    if (tty === true) stdin.once('finish', resolve);
  });
  return {
    stdin,
    stdout: attached(child.stdout),
    stderr: attached(child.stderr),
    resize: child.resize,
    ended: Promise.race([child.ended, left]),
    release() {
      for (const release of releases) release();
      endInput();
    },
  };
}

/** The input of a program as one client sees it. */
function inputOf({ stdin }: Child, end: () => void): Writable {
  return new Writable({
    write(chunk, _encoding, callback) {
      if (stdin === undefined || stdin.destroyed || stdin.writableEnded) callback();
      else stdin.write(chunk, () => callback());
    },
    final(callback) {
      end();
      callback();
    },
  });
}
