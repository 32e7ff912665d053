import { selectsLabels } from 'keelson';
import type { Namespace } from 'keelson/kinds';
import type { PodMonitor, Probe, Prometheus, PrometheusRule, ScrapeConfig, ServiceMonitor } from './kinds.js';

export type Selector = NonNullable<Prometheus['spec']['ruleSelector']>;

interface Selectors {
  readonly labels: Selector | undefined;
  readonly namespaces: Selector | undefined;
}

/** Objects that a Prometheus selects. */
export interface Selected {
  readonly serviceMonitors: readonly ServiceMonitor[];
  readonly podMonitors: readonly PodMonitor[];
  readonly probes: readonly Probe[];
  readonly scrapeConfigs: readonly ScrapeConfig[];
  readonly rules: readonly PrometheusRule[];
}

/** The name of a part of {@link Selected}. */
export type SelectedName = keyof Selected;

// #region selectors
/** The selectors of a Prometheus, for objects and namespaces: the same for changes that lead to it, for what it takes, and for the statuses of what it takes. */
export const selectorsOf = {
  serviceMonitors: ({ spec }) => ({ labels: spec.serviceMonitorSelector, namespaces: spec.serviceMonitorNamespaceSelector }),
  podMonitors: ({ spec }) => ({ labels: spec.podMonitorSelector, namespaces: spec.podMonitorNamespaceSelector }),
  probes: ({ spec }) => ({ labels: spec.probeSelector, namespaces: spec.probeNamespaceSelector }),
  scrapeConfigs: ({ spec }) => ({ labels: spec.scrapeConfigSelector, namespaces: spec.scrapeConfigNamespaceSelector }),
  rules: ({ spec }) => ({ labels: spec.ruleSelector, namespaces: spec.ruleNamespaceSelector }),
} satisfies Record<SelectedName, (prometheus: Prometheus) => Selectors>;
// #endregion

/** Whether users write the configuration themselves: nothing that would be generated is asked for. */
export function isUnmanaged(prometheus: Prometheus): boolean {
  return (['serviceMonitors', 'podMonitors', 'probes', 'scrapeConfigs'] as const).every(
    (name) => selectorsOf[name](prometheus).labels === undefined,
  );
}

interface Listing<T> {
  list(options: { readonly labelSelector?: Selector | undefined; readonly namespace?: string | undefined }): readonly T[];
}

export type Watched = { readonly [N in SelectedName]: Listing<Selected[N][number]> } & {
  readonly namespaces: Listing<Pick<Namespace, 'metadata'>>;
};

// #region selected
export function selectedBy(prometheus: Prometheus, { namespaces, ...watched }: Watched): Selected {
  const select = <N extends SelectedName>(name: N): readonly Selected[N][number][] => {
    const { labels: labelSelector, namespaces: namespaceSelector } = selectorsOf[name](prometheus);
    const objects: Listing<Selected[N][number]> = watched[name];
    if (labelSelector === undefined) return [];
    if (namespaceSelector === undefined) return objects.list({ labelSelector, namespace: prometheus.metadata.namespace });
    const places = new Set(namespaces.list({ labelSelector: namespaceSelector, namespace: '*' }).map((place) => place.metadata.name));
    return objects.list({ labelSelector, namespace: '*' }).filter((found) => places.has(found.metadata.namespace ?? ''));
  };
  return {
    serviceMonitors: select('serviceMonitors'),
    podMonitors: select('podMonitors'),
    probes: select('probes'),
    scrapeConfigs: select('scrapeConfigs'),
    rules: select('rules'),
  };
}
// #endregion

/** {@link selectedBy} from the other side: whether a Prometheus selects this object, which stands in that namespace. */
export function isSelected(
  name: SelectedName,
  { metadata }: Selected[SelectedName][number],
  { prometheus, namespace }: { readonly prometheus: Prometheus; readonly namespace: Pick<Namespace, 'metadata'> | undefined },
): boolean {
  const { labels, namespaces } = selectorsOf[name](prometheus);
  if (!selectsLabels(labels, metadata.labels)) return false;
  if (namespaces === undefined) return metadata.namespace === prometheus.metadata.namespace;
  return namespace !== undefined && selectsLabels(namespaces, namespace.metadata.labels);
}
