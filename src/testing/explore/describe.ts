import { HIDDEN } from '@keelson/runtime/internal/masking';
import { type Mark, wordsOf } from './history.js';
import type { Disturbance } from './plan.js';

/** A disturbance in words. */
export function describe(disturbance: Disturbance): string {
  switch (disturbance.do) {
    case 'kill': {
      const when = disturbance.at.on === 'write' ? `right after its ${shortly(disturbance.at)}` : `at ${wordsOf(disturbance.at)}`;
      return `the operator is killed ${when}, and started again${disturbance.staysAway ? ' only after the next step' : ''}`;
    }
    case 'lose':
      return `the answer to its ${shortly(disturbance.at)} is lost; the write was done`;
    case 'refuse':
      return `its ${shortly(disturbance.at)} is refused with ${disturbance.status}${disturbance.times > 1 ? `, and ${disturbance.times - 1} more` : ''}`;
    case 'stand-still':
      return standing(disturbance);
    case 'forbid':
      return `every write "${disturbance.what}" is refused from ${wordsOf(disturbance.from)} until the end of step ${disturbance.until.step + 1}: ${disturbance.why}`;
    case 'release': {
      const when = 'step' in disturbance.at ? `after step ${disturbance.at.step + 1}` : `at ${wordsOf(disturbance.at)}`;
      return `release ${disturbance.release + 1} takes over ${when}`;
    }
    case 'value': {
      const { kind, name, path, value } = disturbance.move;
      const how = value === undefined ? 'is removed' : `is ${clipped(JSON.stringify(value))}`;
      return `after step ${disturbance.after + 1} ${path.join('.')} of ${kind} ${name} ${how} for a while`;
    }
    case 'break-watch':
      return `the watch of the operator ${disturbance.how} at ${wordsOf(disturbance.at)}`;
    case 'steal':
      return `another process takes the Lease at ${wordsOf(disturbance.at)}`;
    case 'external':
      return `${wordsOf(disturbance.at)} ${disturbance.fault}${disturbance.times > 1 ? `, and ${disturbance.times - 1} more` : ''}${disturbance.fault === 'times out' ? ' after it was done' : ''}`;
    case 'mistake': {
      const { kind, name, path, value } = disturbance.mistake;
      return `after step ${disturbance.after + 1} ${path.join('.')} of ${kind} ${name} is ${kind === 'Secret' ? HIDDEN : JSON.stringify(value)} for a while`;
    }
    case 'break':
      return `after step ${disturbance.after + 1} ${disturbance.kind} ${disturbance.name} does not work for a while`;
  }
}

function clipped(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
}

function shortly({ what, nth }: Mark): string {
  return nth === 1 ? `write "${what}"` : `write "${what}" number ${nth}`;
}

const READERS = {
  all: 'the operator reads',
  restarted: 'an operator that is started again reads',
  standby: 'the standby reads',
} as const;

function standing({ from, until, how, readers }: Disturbance & { readonly do: 'stand-still' }): string {
  const end = 'step' in until ? `the end of step ${until.step + 1}` : wordsOf(until);
  const unseen = how === 'by-lists' ? '; then its watches end with 410, it lists again, and what was between is never seen' : '';
  return `${READERS[readers]} an old state: that of ${wordsOf(from)}, until ${end}${unseen}`;
}
