import { type ConditionInput, counter, defineController, own, through, toReferrers, toSelectors, watch } from 'keelson';
import { ConfigMap, Namespace, Pod, Secret, Service, StatefulSet } from 'keelson/kinds';
import { namesIn } from './assets.js';
import { governingService, isAsWanted, OPERATED, ownersOf } from './governing-service.js';
import { PodMonitor, Probe, Prometheus, PrometheusRule, ScrapeConfig, ServiceMonitor } from './kinds.js';
import * as names from './names.js';
import { type Plan, planOf } from './plan.js';
import { stuckPod } from './repair.js';
import { type Selected, selectedBy, selectorsOf } from './selection.js';
import { CONTROLLER_ID, config } from './settings.js';
import { availableOf, isRolledOut, statusOf } from './status.js';

const recreations = counter(
  'prometheus_operator_statefulset_recreations_total',
  'StatefulSets deleted because a field that cannot change differs.',
);

/** Objects that a Prometheus itself names, beside its selectors. */
const named = ({ spec }: Prometheus) => ({ apiserverConfig: spec.apiserverConfig, web: spec.web });

// #region touches
/** Keeps the configuration and the StatefulSets of a Prometheus as it and what it selects say. */
export const prometheusController = defineController({
  name: 'prometheus',
  for: Prometheus,
  uses: { config, recreations },
  owns: {
    configMaps: ConfigMap,
    secrets: own(Secret, { verbs: ['create'], desired: true }),
    statefulSets: own(StatefulSet, { onImmutable: 'recreate', propagation: 'Foreground' }),
  },
  watches: {
    serviceMonitors: watch(ServiceMonitor, { ignoreStatus: true, enqueue: toSelectors(Prometheus, selectorsOf.serviceMonitors) }),
    podMonitors: watch(PodMonitor, { ignoreStatus: true, enqueue: toSelectors(Prometheus, selectorsOf.podMonitors) }),
    probes: watch(Probe, { ignoreStatus: true, enqueue: toSelectors(Prometheus, selectorsOf.probes) }),
    scrapeConfigs: watch(ScrapeConfig, { ignoreStatus: true, enqueue: toSelectors(Prometheus, selectorsOf.scrapeConfigs) }),
    rules: watch(PrometheusRule, { ignoreStatus: true, enqueue: toSelectors(Prometheus, selectorsOf.rules) }),
    // A Secret that no monitor names changes nothing here.
    secretsOfServiceMonitors: watch(Secret, { enqueue: through(ServiceMonitor, ({ spec }) => namesIn(spec, 'Secret')) }),
    secretsOfPodMonitors: watch(Secret, { enqueue: through(PodMonitor, ({ spec }) => namesIn(spec, 'Secret')) }),
    secretsOfProbes: watch(Secret, { enqueue: through(Probe, ({ spec }) => namesIn(spec, 'Secret')) }),
    secretsOfScrapeConfigs: watch(Secret, { enqueue: through(ScrapeConfig, ({ spec }) => namesIn(spec, 'Secret')) }),
    namedSecrets: watch(Secret, { enqueue: toReferrers(Prometheus, (prometheus) => namesIn(named(prometheus), 'Secret')) }),
    configMapsOfServiceMonitors: watch(ConfigMap, { enqueue: through(ServiceMonitor, ({ spec }) => namesIn(spec, 'ConfigMap')) }),
    configMapsOfPodMonitors: watch(ConfigMap, { enqueue: through(PodMonitor, ({ spec }) => namesIn(spec, 'ConfigMap')) }),
    configMapsOfProbes: watch(ConfigMap, { enqueue: through(Probe, ({ spec }) => namesIn(spec, 'ConfigMap')) }),
    configMapsOfScrapeConfigs: watch(ConfigMap, { enqueue: through(ScrapeConfig, ({ spec }) => namesIn(spec, 'ConfigMap')) }),
    namedConfigMaps: watch(ConfigMap, { enqueue: toReferrers(Prometheus, (prometheus) => namesIn(named(prometheus), 'ConfigMap')) }),
    namespaces: watch(Namespace, { metadataOnly: true }),
    siblings: watch(Prometheus),
    services: watch(Service, { select: { labels: OPERATED }, verbs: ['apply'], enqueue: ownersOf }),
    pods: watch(Pod, {
      select: { labels: { ...names.MANAGED_BY, 'app.kubernetes.io/name': 'prometheus' } },
      verbs: ['delete', 'evict'],
      enqueue: ({ metadata }) => [{ name: metadata.labels?.['app.kubernetes.io/instance'] ?? '' }],
    }),
  },
  // #endregion
  // #region reconcile
  async reconcile({ object, config, recreations, events, signal, owned, done, ...handles }) {
    const { configMaps: _, secrets, statefulSets, pods, services, siblings, namedSecrets, namedConfigMaps, ...watched } = handles;
    const { metadata, spec } = object;
    if ((metadata.annotations?.[CONTROLLER_ID] ?? '') !== config.controllerId) return done({ ignored: true });

    const seen = {
      prometheus: object,
      statefulSets: statefulSets.list(),
      pods: pods.list({ labels: { 'app.kubernetes.io/instance': metadata.name } }),
    };
    const status = statusOf(seen);
    const available = availableOf(seen);
    if (spec.paused) return done({ status, conditions: [available, ...reconciledBefore(object)] });

    let plan: Plan;
    try {
      plan = planOf({
        prometheus: object,
        selected: selectedBy(object, watched),
        sources: { secret: (key) => namedSecrets.get(key), configMap: (key) => namedConfigMaps.get(key) },
        images: config,
      });
      const service = governingService(metadata.namespace ?? '', siblings.list());
      if (spec.serviceName === undefined && !isAsWanted(services.get(names.GOVERNING_SERVICE), service)) await services.apply(service);
      // Users write the configuration themselves: the Secret has to be there for the Pods, and nothing else.
      const configName = names.configSecretName(metadata.name);
      if (plan.config === undefined && namedSecrets.get(configName) === undefined)
        await secrets.create(Secret({ metadata: { name: configName, labels: names.objectLabels(metadata.name) } }));
      await owned.apply({ configMaps: plan.configMaps, secrets: secretsOf(plan), statefulSets: plan.statefulSets });
      for (const set of seen.statefulSets) if (wasDeleted(set, plan, statefulSets.get(set.metadata.name))) recreations.inc({});
      const stuck = config.repairPolicy === 'none' ? undefined : stuckPod(statefulSets.list(), seen.pods);
      if (stuck !== undefined) {
        await (config.repairPolicy === 'evict' ? pods.evict(stuck) : pods.delete(stuck));
        events.normal('RepairedPod', `${stuck.metadata.name} is of an older revision, is not ready, and kept the rollout from going on`);
      }
    } catch (error) {
      if (signal.aborted) throw error;
      const failed = { type: 'Reconciled', status: false, reason: 'ReconciliationFailed', message: (error as Error).message } as const;
      return done({ status, conditions: [available, failed, ready(false, 'ReconciliationFailed')], retry: error });
    }

    for (const { object: regarding, reason } of plan.rejections)
      events.warning('InvalidConfiguration', reason, { regarding, related: object });
    return done({
      // Without a generated configuration no Secret may be deleted: one of them is the user's.
      owned: {
        configMaps: plan.configMaps,
        ...(plan.config === undefined ? {} : { secrets: secretsOf(plan) }),
        statefulSets: plan.statefulSets,
      },
      status,
      conditions: [
        available,
        reconciled(plan, selectedBy(object, watched)),
        isRolledOut(seen) ? ready(true, 'RolledOut') : ready(false, 'RollingOut'),
      ],
    });
  },
  // #endregion
});

const secretsOf = ({ config: generated, secrets }: Plan): readonly Secret[] =>
  generated === undefined ? secrets : [generated, ...secrets];

const ready = (status: boolean, reason: string): ConditionInput => ({ type: 'Ready', status, reason });

/** Whether this run has asked for the deletion; one that was under way before is not its own. */
function wasDeleted(before: StatefulSet, plan: Plan, now: StatefulSet | undefined): boolean {
  const isWanted = plan.statefulSets.some(({ metadata }) => metadata.name === before.metadata.name);
  return isWanted && before.metadata.deletionTimestamp === undefined && (now === undefined || now.metadata.deletionTimestamp !== undefined);
}

function reconciled({ rejections, config: generated }: Plan, selected: Selected): ConditionInput {
  const done = { type: 'Reconciled', status: true } as const;
  if (rejections.length > 0) {
    const texts = rejections.map(({ object: { kind, metadata }, reason }) => `${kind} ${metadata.namespace}/${metadata.name}: ${reason}`);
    return { ...done, reason: 'InvalidConfiguration', message: `left out: ${texts.join('; ')}` };
  }
  const { serviceMonitors, podMonitors, probes, scrapeConfigs, rules } = selected;
  const count = [serviceMonitors, podMonitors, probes, scrapeConfigs, rules].reduce((sum, { length }) => sum + length, 0);
  const isEmpty = generated !== undefined && count === 0;
  return isEmpty ? { ...done, reason: 'NoSelectedResources', message: 'no object is selected' } : { ...done, reason: 'Reconciled' };
}

/** While it is paused the conditions say how the last run ended. */
function reconciledBefore({ status }: Prometheus): ConditionInput[] {
  return (status?.conditions ?? [])
    .filter(({ type }) => type === 'Reconciled' || type === 'Ready')
    .map(({ type, status: is, reason, message }) => ({ type, status: is === 'Unknown' ? is : is === 'True', reason, message }));
}
