import type { Logger, MetricModel } from 'keelson/internal/definition';
import type { PromClient } from './metric-maker.js';

export interface OwnMetricOptions {
  readonly model: MetricModel;
  readonly prom: PromClient;
  readonly registry: import('prom-client').Registry;
  readonly log: Logger;
  /** A label set over the bound was given. */
  readonly dropped: () => void;
}

type Labels = Readonly<Record<string, string>>;

/**
 * A metric that an operator declares, as its functions have it.
 *
 * Guarantees: no method throws, since a metric must not break a reconcile; label sets over the bound are not recorded, and the first one is logged; a metric without
 * labels is there with 0 from the beginning.
 */
export function ownMetric({ model, prom, registry, log, dropped }: OwnMetricOptions): object {
  const { type, name, help, maxSeries } = model;
  const labelNames = [...model.labels];
  const registers = [registry];
  const known = new Set<string>();
  const warned = new Set<string>();
  const warnOnce = (what: string, fields: Readonly<Record<string, unknown>>): undefined => {
    if (!warned.has(what)) log.warn(`metric ${name}: ${what}`, fields);
    warned.add(what);
    return undefined;
  };
  /** The labels, if they may be recorded. */
  const taken = (given: Labels, value: number, isUsable: (value: number) => boolean): Labels | undefined => {
    const labels = labelsOf(given, labelNames);
    if (labels === undefined)
      return warnOnce(`its labels are ${labelNames.join(', ') || 'none'}; what has others is not recorded`, { labels: given });
    if (!isUsable(value)) return warnOnce('a value that is not usable is not recorded', { labels, value });
    const id = JSON.stringify(Object.values(labels));
    if (!known.has(id) && known.size >= maxSeries) {
      dropped();
      const advice = 'Give its labels few values, or remove sets that are over';
      return warnOnce(`has ${maxSeries} label sets already; further ones are not recorded. ${advice}`, { labels });
    }
    known.add(id);
    return labels;
  };
  const forget = (given: Labels): Labels | undefined => {
    const labels = labelsOf(given, labelNames);
    if (labels !== undefined) known.delete(JSON.stringify(Object.values(labels)));
    return labels;
  };
  const isNumber = (value: number): boolean => typeof value === 'number' && !Number.isNaN(value);
  const grows = (value: number): boolean => Number.isFinite(value) && value >= 0;
  if (type === 'gauge') {
    const gauge = new prom.Gauge({ name, help, labelNames, registers });
    return Object.freeze({
      set: (labels: Labels, value: number) => on(taken(labels, value, isNumber), (all) => gauge.set(all, value)),
      inc: (labels: Labels, by = 1) => on(taken(labels, by, isNumber), (all) => gauge.inc(all, by)),
      remove: (labels: Labels) => on(forget(labels), (all) => gauge.remove(all)),
    });
  }
  if (type === 'counter') {
    const counter = new prom.Counter({ name, help, labelNames, registers });
    return Object.freeze({
      inc: (labels: Labels, by = 1) => on(taken(labels, by, grows), (all) => counter.inc(all, by)),
      remove: (labels: Labels) => on(forget(labels), (all) => counter.remove(all)),
    });
  }
  const buckets = model.buckets === undefined ? {} : { buckets: [...model.buckets] };
  const histogram = new prom.Histogram({ name, help, labelNames, registers, ...buckets });
  return Object.freeze({
    observe: (labels: Labels, value: number) => on(taken(labels, value, isNumber), (all) => histogram.observe(all, value)),
    remove: (labels: Labels) => on(forget(labels), (all) => histogram.remove(all)),
  });
}

/** In the order of the declaration; `undefined` if there is one too many, or too few. */
function labelsOf(given: unknown, names: readonly string[]): Labels | undefined {
  if (typeof given !== 'object' || given === null || Object.keys(given).length !== names.length) return undefined;
  const values = given as Readonly<Record<string, unknown>>;
  if (!names.every((name) => Object.hasOwn(values, name))) return undefined;
  return Object.fromEntries(names.map((name) => [name, String(values[name])]));
}

function on<T>(value: T | undefined, act: (value: T) => void): void {
  if (value !== undefined) act(value);
}
