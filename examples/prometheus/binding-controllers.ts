import { defineController, toAll, toReferrers, watch } from 'keelson';
import { ConfigMap, Namespace, Secret } from 'keelson/kinds';
import { namesIn } from './assets.js';
import { bindingsOf } from './bindings.js';
import { PodMonitor, Probe, Prometheus, PrometheusRule, ScrapeConfig, ServiceMonitor } from './kinds.js';
import type { SelectedName } from './selection.js';
import { config } from './settings.js';

type AnyOfThem = typeof ServiceMonitor | typeof PodMonitor | typeof Probe | typeof ScrapeConfig | typeof PrometheusRule;

// #region controller
/** Writes into the status of each object of a kind which Prometheuses select it, and whether they take it. */
function bindingController(name: SelectedName, kind: AnyOfThem) {
  // All of these kinds have one status, and nothing here looks into a spec: one of them stands for all before the compiler.
  const selected = kind as typeof ServiceMonitor;
  return defineController({
    name: `${kind.kind.toLowerCase()}-status`,
    for: selected,
    uses: { config },
    watches: {
      prometheuses: watch(Prometheus, { ignoreStatus: true, enqueue: toAll(selected) }),
      namespaces: watch(Namespace, {
        metadataOnly: true,
        enqueue: toReferrers(selected, ({ metadata }) => [{ name: metadata.namespace }]),
      }),
      secrets: watch(Secret, { enqueue: toReferrers(selected, ({ spec }) => namesIn(spec, 'Secret')) }),
      configMaps: watch(ConfigMap, { enqueue: toReferrers(selected, ({ spec }) => namesIn(spec, 'ConfigMap')) }),
    },
    writesStatus: { fields: ['bindings'] },
    reconcile({ object, config, prometheuses, namespaces, secrets, configMaps, now, done }) {
      const bindings = bindingsOf({
        object,
        name,
        namespace: namespaces.get(object.metadata.namespace ?? ''),
        prometheuses: prometheuses.list({ namespace: '*' }),
        sources: { secret: (key) => secrets.get(key), configMap: (key) => configMaps.get(key) },
        controllerId: config.controllerId,
        now: now(),
      });
      // Server-side apply takes a list away that is not stated; an empty one it leaves behind.
      return done({ status: bindings.length === 0 ? {} : { bindings } });
    },
  });
}
// #endregion

export const bindingControllers = [
  bindingController('serviceMonitors', ServiceMonitor),
  bindingController('podMonitors', PodMonitor),
  bindingController('probes', Probe),
  bindingController('scrapeConfigs', ScrapeConfig),
  bindingController('rules', PrometheusRule),
];
