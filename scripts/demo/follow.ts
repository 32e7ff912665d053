import type { InProcessCluster, WatchEvent } from '@keelson/testing';
import type { Style } from './tree.js';

export type Tell = (who: string, what: string) => void;

export interface Follower {
  readonly stop: () => Promise<void>;
}

/** The text to print for an object, and under which name; `undefined`: nothing. `isGone`: it was deleted, and this is how it was. */
type Text<T> = (object: T, isGone: boolean) => readonly [who: string, what: string] | undefined;

/** Adds a watch. */
type Add = <T>(watch: Promise<AsyncIterable<WatchEvent<T>>>, text: Text<T>) => Promise<void>;

/** Options of each watch. */
interface Options {
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Prints changes of the cluster, when the watches of a client show them. An equal text is not printed again. */
export async function follow(
  { namespace }: Pick<InProcessCluster, 'namespace'>,
  tell: Tell,
  choose: (add: Add, options: Options) => Promise<void>,
): Promise<Follower> {
  const stop = new AbortController();
  const said = new Map<string, string>();
  const streams: Promise<void>[] = [];
  const add: Add = async (watch, text) => {
    const stream = await watch;
    streams.push(each(stream, text));
  };
  await choose(add, { namespace, signal: stop.signal });
  return {
    stop: async () => {
      stop.abort();
      await Promise.all(streams);
    },
  };

  async function each<T>(stream: AsyncIterable<WatchEvent<T>>, text: Text<T>): Promise<void> {
    try {
      for await (const event of stream) if (event.type !== 'BOOKMARK') tellChanged(text(event.object, event.type === 'DELETED'));
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  }

  function tellChanged(text: readonly [string, string] | undefined): void {
    if (text === undefined) return;
    const [who, what] = text;
    if (said.get(who) === what) return;
    said.set(who, what);
    tell(who, what);
  }
}

/** Prints with the seconds since it was made. */
export function teller(print: (line: string) => void, style: Style, width: number): Tell {
  const start = performance.now();
  return (who, what) => {
    const seconds = ((performance.now() - start) / 1000).toFixed(2).padStart(5);
    const line = `${who.padEnd(width)}  ${what}`;
    print(`  ${style.dim(`${seconds} s`)}  ${who === 'you' ? style.bold(line) : line}`);
  };
}
