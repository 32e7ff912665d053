import type { Ending, Setting } from './ending.js';
import { type Ends, Finding } from './finding.js';
import type { Plan } from './plan.js';

/** @throws Finding when a run ends otherwise than the undisturbed one */
export function compare(
  ending: Ending,
  reference: Ending,
  { setting: { judges, keeps }, plan }: { readonly setting: Setting; readonly plan: Plan },
): void {
  for (const judge of ['deleted', 'made'] as const) {
    // A release may make and delete what it differs in from the one before it, and so may the operator for another value.
    if (!judges[judge] || plan.disturbances.some(({ do: what }) => what === 'release' || what === 'value')) continue;
    const usual = reference.history[judge];
    for (const [what, count] of ending.history[judge])
      if (count > (usual.get(what) ?? 0))
        throw new Finding(
          judge,
          `${what} was ${judge} ${timesOf(count)}, undisturbed ${timesOf(usual.get(what) ?? 0)}`,
          differenceOf(reference.state, ending.state),
          endsOf(ending, reference),
        );
  }
  kept(ending, reference, keeps);
  const difference = differenceOf(reference.state, ending.state).filter((line) => !isExcused(line, ending));
  if (difference.length > 0) throw new Finding('state', 'it ends otherwise than undisturbed', difference, endsOf(ending, reference));
}

/** @throws Finding for an object that was replaced, and is not undisturbed */
function kept({ history, state }: Ending, reference: Ending, keeps: readonly string[]): void {
  const usual = reference.history.lost(keeps);
  for (const [what, count] of history.lost(keeps))
    if (count > (usual.get(what) ?? 0))
      throw new Finding(
        'kept',
        `${what} was deleted ${timesOf(count)}, undisturbed ${timesOf(usual.get(what) ?? 0)}, and keeps has its resource`,
        differenceOf(reference.state, state),
      );
}

function endsOf({ state }: Ending, reference: Ending): Ends {
  const outside = [leftIn(reference.state), leftIn(state)] as const;
  return { minus: 'undisturbed', plus: 'disturbed', outside: outside[0] === outside[1] ? undefined : outside };
}

/** Lines of externals that hold something. */
function leftIn(state: readonly string[]): number {
  return state.filter((line) => line.startsWith('outside:') && !/: (?:\[\]|\{\}|null|false|0|"")$/.test(line)).length;
}

/** Objects that were made from an old state, for an owner that is gone for example: their maker could not know. */
function isExcused(line: string, { history, isOutsideExcused }: Ending): boolean {
  if (/^[-+] outside:/.test(line)) return isOutsideExcused;
  return [...history.lives.values()].some((life) => life.isExcused && !life.hasEnded && line === `+ ${life.what}`);
}

function timesOf(count: number): string {
  return ['never', 'once', 'twice'][count] ?? `${count} times`;
}

/** Lines that are missing, and lines that are too many. Objects that are missing as a whole are one line. */
export function differenceOf(wanted: readonly string[], found: readonly string[]): string[] {
  const lacking = (lines: readonly string[], other: readonly string[], sign: string): string[] => {
    const there = new Set(other);
    const titles = new Set(other.map(titleOf));
    const missing = lines.filter((line) => !there.has(line)).map((line) => (titles.has(titleOf(line)) ? line : titleOf(line)));
    return [...new Set(missing)].map((line) => `${sign} ${line}`);
  };
  return [...lacking(wanted, found, '-'), ...lacking(found, wanted, '+')];
}

/** `ConfigMap a`. */
function titleOf(line: string): string {
  // Lines of externals have no objects.
  return line.startsWith('outside:') ? line : line.split(' ', 2).join(' ');
}
