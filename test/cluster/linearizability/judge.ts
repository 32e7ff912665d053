import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type GoClient, goClient } from '../../../scripts/cluster/go-client.js';
import type { Operation } from './history.js';

/** porcupine in a program; where it cannot be built, the reason. */
export const linearizabilityChecker: GoClient = goClient(join(__dirname, 'checker'));

export interface Verdict {
  /** `unknown`: the time was not enough to try all orders. */
  readonly verdict: 'ok' | 'violation' | 'unknown';
  /** How many operations were judged: those of unknown outcome count where somebody has seen what they wrote. */
  readonly operations: number;
  /** The keys with operations in an order that no register can explain. */
  readonly keys?: readonly string[];
}

/** @throws Error when the checker cannot judge the history */
export async function judge(operations: readonly Operation[], limit = '60s'): Promise<Verdict> {
  if (!linearizabilityChecker.found) throw new Error(linearizabilityChecker.reason);
  const checker = spawn(linearizabilityChecker.path, [limit], { stdio: 'pipe' });
  const ended = once(checker, 'close') as Promise<[number | null]>;
  const [output, problem] = [text(checker.stdout), text(checker.stderr)];
  // A checker that ends early breaks the pipe; its exit code says more.
  checker.stdin.on('error', () => undefined);
  checker.stdin.end(operations.map((operation) => `${JSON.stringify(operation)}\n`).join(''));
  const [code] = await ended;
  if (code !== 0) throw new Error(`the checker of histories ended with code ${code}: ${(await problem).trim()}`);
  return JSON.parse(await output) as Verdict;
}

/** @throws Error with all that clients saw of the keys in question, since no run comes twice */
export async function expectLinearizable(operations: readonly Operation[], limit?: string): Promise<void> {
  const { verdict, keys = [] } = await judge(operations, limit);
  if (verdict === 'ok') return;
  const seen = operations.filter(({ key }) => keys.includes(key)).map((operation) => JSON.stringify(operation));
  throw new Error(`${operations.length} operations: ${verdict}; those on ${keys.join(', ')}:\n${seen.join('\n')}`);
}
