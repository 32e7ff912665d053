import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { isCopy, keyText, type RehearsalInput, type Rehearsed, rehearse } from '../rehearsal/index.js';
import { changesBetween, namedObject, statusChangesBetween } from './changes.js';
import type { Plan } from './plan-report.js';
import { restartsOf } from './restarts.js';
import { unfitObjects } from './unfit.js';

export interface PlanInput extends Omit<RehearsalInput, 'playsPods'> {
  /** Paths and documents that hold no object, and lists that were refused. */
  readonly unread: readonly { readonly place: string; readonly problem: string }[];
}

/** Lets the operator run on the world, and compares. */
export async function planOf({ unread, ...input }: PlanInput): Promise<Plan> {
  // Pods are not played: the plan is what the operator writes, not what a cluster then does.
  const rehearsed = await rehearse({ ...input, playsPods: false });
  const { before, after } = rehearsed;
  const unfit = await unfitObjects(input.operator, input.objects);
  const changes = changesBetween(before, after);
  const knownAfter = rehearsed.problems
    .filter(({ reason }) => reason === 'withheld')
    .map(({ subject, message }) => ({ subject, needs: message }));
  const failures = [
    ...unread.map(({ place, problem }) => ({ subject: place, reason: 'unread' as const, message: problem })),
    ...failuresOf(rehearsed),
  ];
  const unknown = new Set(knownAfter.map(({ subject }) => subject));
  // The status of an object whose call was withheld would be that of a failed call.
  const status = statusChangesBetween(before, after).filter(({ object }) => !unknown.has(keyText(object)));
  const restarts = restartsOf(changes, before, after);
  const count = (action: string): number => changes.filter((change) => change.action === action).length;
  return {
    apiVersion: 'cli.keelson.dev/v1',
    kind: 'Plan',
    summary: {
      create: count('create'),
      change: count('change'),
      delete: count('delete'),
      recreate: count('recreate'),
      status: status.length,
      restartingPods: restarts.reduce((sum, { pods }) => sum + pods, 0),
      knownAfter: knownAfter.length,
      failed: failures.length + unfit.length,
    },
    changes,
    restarts,
    status: status.map(({ object, fields }) => ({ object: namedObject(object), fields })),
    unfit,
    knownAfter,
    failures,
    notes: notesOf(
      input.objects.map(({ object }) => object),
      rehearsed,
    ),
  };
}

function failuresOf({ refused, problems }: Rehearsed): Plan['failures'] {
  return [
    ...refused.map(({ place, object, message }) => ({ subject: `${keyText(object)} (${place})`, reason: 'refused' as const, message })),
    ...problems.filter(({ reason }) => reason !== 'withheld'),
  ];
}

function notesOf(objects: readonly KubernetesObject[], { withheld, problems }: Rehearsed): readonly string[] {
  const bare = objects.filter((object) => isCopy(object) && object.metadata.managedFields === undefined).length;
  const named = new Set(problems.flatMap(({ reason, message }) => (reason === 'withheld' ? [message] : [])));
  const swallowed = withheld.filter((method) => !named.has(method));
  return [
    ...(bare === 0
      ? []
      : [
          `${bare} copied objects have no managed fields, so that a field which the operator sets no more is not seen to go; read them with kubectl get --show-managed-fields`,
        ]),
    ...(swallowed.length === 0
      ? []
      : [`${swallowed.join(', ')} was not called, as it is outside; the runs that asked went on without an answer`]),
  ];
}
