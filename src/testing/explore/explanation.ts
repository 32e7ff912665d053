import { describe } from './describe.js';
import type { Ending, Setting } from './ending.js';
import type { Finding } from './finding.js';
import type { Plan } from './plan.js';

/** More lines than this are not read. */
const MOST_LINES = 20;
const MOST_STEPS = 6;
const MOST_DIFFERENCES = 5;

export interface Explained {
  readonly setting: Setting;
  readonly plan: Plan;
  readonly finding: Finding;
  readonly ending: Ending;
  /** How to play it again. */
  readonly command: string;
  readonly title: string;
}

/** Says in 20 lines at most what was disturbed when, what differs, and how to play it again. */
export function explanationOf({ setting, plan, finding, ending, command, title }: Explained): string {
  const steps = plan.steps.map((index) => `  ${index + 1}. ${setting.steps[index]?.title}${hurryOf(plan, index)}`);
  const wrongs = plan.disturbances.map((disturbance) => `  ${describe(disturbance)}`);
  const lines = [
    `${title}: ${finding.message}`,
    'story:',
    ...shortened(steps, MOST_STEPS),
    ...(plan.disturbances.some(({ do: what }) => what === 'release') ? [`release ${plan.release + 1} runs first`] : []),
    ...(wrongs.length > 0
      ? ['disturbed:', ...wrongs]
      : Object.keys(plan.hurries).length > 0
        ? ['disturbed: nothing, but the operator gets no time between the steps']
        : ['nothing is disturbed']),
    ...(finding.details.length === 0
      ? []
      : [
          headingOf(finding),
          ...shortened(
            finding.details.map((line) => `  ${clipped(line)}`),
            MOST_DIFFERENCES,
          ),
          ...leftOf(finding),
        ]),
    ...ending.problems.slice(0, 1).map((problem) => `log: ${clipped(problem)}`),
  ];
  return [...lines.slice(0, MOST_LINES - 1), `again: ${command}`].join('\n');
}

/** The meaning of the signs. A lock that is held, or a leak, may be what only the undisturbed run has. */
function headingOf({ ends }: Finding): string {
  return ends === undefined ? 'differs:' : `differs (- ${ends.minus} only, + ${ends.plus} only; either may be the right end):`;
}

/** Which end leaves less outside: the other one may leak. */
function leftOf({ ends }: Finding): string[] {
  if (ends?.outside === undefined) return [];
  const [minus, plus] = ends.outside;
  const [less, least, more, most] = minus < plus ? [ends.minus, minus, ends.plus, plus] : [ends.plus, plus, ends.minus, minus];
  return [`less is left outside ${less}: ${linesOf(least)}, and ${linesOf(most)} ${more}`];
}

function linesOf(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

function hurryOf({ steps, hurries }: Plan, index: number): string {
  if (hurries[index] === undefined || index === steps.at(-1)) return '';
  return hurries[index] === 0 ? ' - and at once' : ' - and soon';
}

function shortened(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most - 1), `  ... and ${lines.length - most + 1} more`];
}

function clipped(line: string): string {
  const one = line.replaceAll('\n', ' ');
  return one.length <= 160 ? one : `${one.slice(0, 157)}...`;
}
