import { InterruptedError, UsageError } from '../../errors.js';
import type { Terminal } from '../../terminal.js';

export interface ConsentOptions {
  readonly context: string;
  /** `--yes`. */
  readonly isGiven: boolean;
  readonly interrupted: Promise<string>;
}

const CTRL_C = '\u0003';

/**
 * Asks on a terminal whether the operator may be installed in a cluster that is not ours; with `--yes` it asks nothing.
 *
 * @throws UsageError without a terminal and without `--yes`; InterruptedError for any key but `y`
 */
export async function consent({ screen, out }: Terminal, { context, isGiven, interrupted }: ConsentOptions): Promise<void> {
  if (isGiven) return;
  if (screen === undefined)
    throw new UsageError(`keelson dev: --context ${context}: there is no terminal to ask at; add --yes to install the operator there`);
  out(`Install the operator there, and run it? [y/N] `);
  const released: (() => void)[] = [];
  const pressed = new Promise<string>((resolve) => released.push(screen.onKey(resolve)));
  const key = await Promise.race([pressed, interrupted.then(() => CTRL_C)]);
  for (const release of released) release();
  out(key.toLowerCase() === 'y' ? 'y\n' : '\n');
  if (key.toLowerCase() !== 'y') throw new InterruptedError('keelson dev: nothing was installed');
}
