import { type Done, defineController } from 'keelson';
import { certificatesOf } from '../certificates/certificates.js';
import { access, type ClusterContext } from './access.js';
import { act } from './act.js';
import { growClaims } from './claims.js';
import { look, objectsNow } from './look.js';
import { SCOPE_ANNOTATION } from './names.js';
import { type Plan, planOf } from './plan.js';
import { budgetFor, clientService, peerService } from './services.js';
import { certificateConditions, conditionsOf, statusOf } from './status.js';

// #region reconcile
async function reconcile(context: ClusterContext): Promise<Done> {
  const { object, pods, claims, config, owned, now, done } = context;
  if (!isServed(context)) return done({ ignored: true });
  const children = { services: [peerService(object), clientService(object)], budgets: [budgetFor(object)] };
  // Pods have their names from a Service.
  await owned.apply(children);
  const certificates = await certificatesOf(context);
  const { tls } = certificates;
  const limits = { deadAfterMs: config.deadMemberAfterSeconds * 1_000, certificateProblem: certificates.problem?.message };

  let objects = { cluster: object, pods: pods.list(), claims: claims.list() };
  let seen = await look(context, objects, tls);
  let plan = planOf(object, seen, now(), limits);
  let isDone = true;
  if (plan.action !== undefined) {
    // A cache may be behind, and some actions cannot be undone: they follow from what the API server has now.
    const current = await objectsNow(context);
    if (current === undefined) return done();
    objects = { ...current, pods: [...current.pods], claims: [...current.claims] };
    seen = await look(context, objects, tls);
    plan = planOf(objects.cluster, seen, now(), limits);
    if (plan.action !== undefined) isDone = await act(context, plan.action, { objects, seen, tls });
  }
  const { conditions: growth, error } = await growClaims(context, claims.list());
  return done({
    owned: children,
    status: statusOf(objects.cluster, seen, plan, certificates),
    conditions: [...conditionsOf(objects.cluster, seen, plan), ...certificateConditions(objects.cluster, certificates), ...growth],
    ...(error === undefined ? { requeueAfter: pauseAfter(plan, isDone) } : { retry: error }),
  });
}
// #endregion

export const etcdClusterController = defineController({ name: 'etcd-cluster', ...access, reconcile });

/** Members change without the API server: they are looked at often while something is under way, and every 8 s otherwise. */
function pauseAfter({ stage, action }: Plan, isDone: boolean): '250ms' | '1s' | '8s' {
  if (action !== undefined && isDone) return '250ms';
  return stage === 'Stable' ||
    stage === 'Paused' ||
    stage === 'NoData' ||
    stage === 'UpgradeRefused' ||
    stage === 'ForeignMembers' ||
    stage === 'CertificatesInvalid'
    ? '8s'
    : '1s';
}

function isServed({ object, config: { scope } }: ClusterContext): boolean {
  if (scope === 'all') return true;
  return (object.metadata.annotations?.[SCOPE_ANNOTATION] === 'clusterwide') === (scope === 'clusterwide');
}
