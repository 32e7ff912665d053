import { ProcessesError } from '../errors.js';
import { HostsMounts } from '../machine/index.js';

/** Whether programs of Pods resolve the names of the cluster: where this machine lets, in any case, or nowhere. */
export type NamesChoice = 'if-possible' | 'never' | 'required';

export const NAMES_CHOICES: readonly NamesChoice[] = ['if-possible', 'required', 'never'];

/**
 * Why programs of Pods do not resolve the names of the cluster on this machine; undefined if they do. It is tried once, with a program that looks up a name.
 *
 * @example
 * ```ts
 * const lack = lackOfNames();
 * (lack === undefined ? test : test.skip)(`the client finds its Service by name ${lack ?? ''}`, async () => {});
 * ```
 */
export function lackOfNames(): string | undefined {
  const found = HostsMounts.find(process.env['PATH'] ?? '');
  return 'lack' in found ? found.lack : undefined;
}

/** @throws ProcessesError if names are required and this machine does not let programs have them */
export function hostsMountsFor(choice: NamesChoice): HostsMounts | undefined {
  if (choice === 'never') return undefined;
  const found = HostsMounts.find(process.env['PATH'] ?? '');
  if ('mounts' in found) return found.mounts;
  if (choice === 'if-possible') return undefined;
  throw new ProcessesError(`processes: names: 'required': programs cannot resolve names of the cluster on this machine: ${found.lack}`);
}
