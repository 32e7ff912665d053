import { isSettings } from './controller/index.js';
import type { ExternalModel, MetricModel, OperatorModel, SettingsModel, UseModel } from './model.js';

/** One entry of a `uses`, and where it stands. */
export interface Used {
  readonly name: string;
  readonly use: UseModel;
  /** For example `tasks.compaction.uses.etcd`. */
  readonly path: string;
}

interface Using {
  readonly path: string;
  readonly uses?: Readonly<Record<string, UseModel>> | undefined;
}

/** Every `uses` of an operator's parts, in the order: controllers, webhooks, checks, endpoints, tasks; then the settings of externals. */
export function usesIn(operator: Pick<OperatorModel, 'controllers' | 'webhooks' | 'checks' | 'endpoints' | 'tasks'>): readonly Used[] {
  const { controllers, webhooks, checks = [], endpoints = [], tasks = [] } = operator;
  const listed = (sort: string, parts: readonly Omit<Using, 'path'>[]): Using[] =>
    parts.map(({ uses }, index) => ({ path: `${sort}[${index}]`, uses }));
  const named = (sort: string, parts: readonly (Omit<Using, 'path'> & { readonly name: string })[]): Using[] =>
    parts.map(({ name, uses }) => ({ path: `${sort}.${name}`, uses }));
  const used = [
    ...listed('controllers', controllers),
    ...listed('webhooks', webhooks),
    ...named('checks', checks),
    ...named('endpoints', endpoints),
    ...named('tasks', tasks),
  ].flatMap(({ path, uses = {} }) => Object.entries(uses).map(([name, use]) => ({ name, use, path: `${path}.uses.${name}` })));
  return [...used, ...settingsOfExternals(used)];
}

/** Those that a part names under `uses` have that name. */
function settingsOfExternals(used: readonly Used[]): Used[] {
  const named = new Set<UseModel>(used.map(({ use }) => use));
  return used.flatMap(({ name, use, path }) => {
    const { settings } = use as Partial<ExternalModel>;
    if (use.sort !== 'external' || settings === undefined || named.has(settings)) return [];
    named.add(settings);
    return [{ name: `${name}Settings`, use: settings, path: `${path}.settings` }];
  });
}

/** All that the parts of an operator use, by name: one name is one thing in an operator, its definition holds that. */
export function usesOf(operator: OperatorModel): Readonly<Record<string, UseModel>> {
  return Object.fromEntries(usesIn(operator).map(({ name, use }) => [name, use]));
}

/** The settings that the parts of an operator use, each once: two names may mean one `settings(...)`. */
export function settingsModelsOf(operator: OperatorModel): readonly SettingsModel[] {
  return [...new Set(usesIn(operator).map(({ use }) => use))].filter(isSettings);
}

/** The metrics that the parts of an operator use, each once. */
export function metricModelsOf(operator: OperatorModel): readonly MetricModel[] {
  return [...new Set(usesIn(operator).map(({ use }) => use))].filter(isMetric);
}

export function isMetric(use: UseModel): use is MetricModel {
  return use.sort === 'metric';
}
