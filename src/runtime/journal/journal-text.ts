import type { Trigger } from 'keelson/internal/definition';
import type { JournalRead, JournalRun, JournalWrite } from './run-record.js';

/**
 * Prints runs for people, a few lines each.
 *
 * @example
 * ```ts
 * console.log(journalText(running.journal({ kind: 'Memcached', object: 'shop/sessions' })));
 * ```
 */
export function journalText(runs: readonly JournalRun[]): string {
  return runs.map(runText).join('\n');
}

function runText({ startedAt, controller, kind, object, version, ...run }: JournalRun): string {
  const { triggers, queuedMs, attempt, reads, writes, left, outcome, id } = run;
  const retry = attempt > 1 ? `, attempt ${attempt}` : '';
  const seen = version === undefined ? '' : ` at ${version}`;
  const lines = [
    `${startedAt.toISOString()} ${controller}: ${kind} ${object}${seen} (${id})`,
    `  because of ${triggers.map(triggerText).join(', ')}; queued ${Math.round(queuedMs)} ms${retry}`,
    ...reads.map((read) => `  read ${readText(read)}`),
    ...writes.flatMap((write) => [`  ${writeText(write)}`, ...write.changes.map((change) => `      ${change}`)]),
    ...(left === 0 ? [] : [`  … ${left} more reads and writes`]),
  ];
  if (outcome === undefined) return [...lines, '  runs still'].join('\n');
  const next = outcome.nextInMs === undefined ? '' : `; the next run is planned in ${Math.round(outcome.nextInMs / 1_000)} s`;
  const error = outcome.error === undefined ? '' : `: ${outcome.error}`;
  return [...lines, `  ${outcome.result} after ${Math.round(outcome.tookMs)} ms${error}${next}`].join('\n');
}

function triggerText(trigger: Trigger): string {
  switch (trigger.cause) {
    case 'owned':
    case 'watched': {
      const { namespace, name } = trigger.object;
      return `${trigger.cause} ${trigger.handle} ${namespace === undefined ? name : `${namespace}/${name}`}`;
    }
    case 'served':
      return `${trigger.cause} ${trigger.handle}`;
    case 'observed':
    case 'background':
      return `${trigger.cause} ${trigger.name}`;
    default:
      return trigger.cause;
  }
}

function readText({ handle, kind, verb, from, object, version, count }: JournalRead): string {
  const by = handle === undefined ? '' : ` by ${handle}`;
  const what =
    verb === 'list' ? `${count} of ${kind}` : `${kind} ${object} ${version === undefined ? 'which is not there' : `at ${version}`}`;
  return `${what} from the ${from}${by}`;
}

function writeText({ verb, kind, subresource, object, changes, isDryRun, error }: JournalWrite): string {
  const part = subresource === undefined ? '' : `/${subresource}`;
  const dry = isDryRun === true ? ' (dry run)' : '';
  const none = changes.length === 0 && verb !== 'delete' && error === undefined ? ': nothing differs' : '';
  return `${verb} ${kind}${part} ${object}${dry}${error === undefined ? none : ` was refused: ${error}`}`;
}
