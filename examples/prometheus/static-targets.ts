import { InvalidObject } from './assets.js';
import { LABEL } from './relabeling.js';

/** Targets that are named one by one. @throws InvalidObject for a label that Prometheus would refuse, and with it the whole configuration */
export function staticTargets(targets: readonly string[], labels: Readonly<Record<string, string>>, field: string): object {
  const wrong = Object.keys(labels).find((name) => !LABEL.test(name));
  if (wrong !== undefined) throw new InvalidObject(`${field}.labels: ${wrong} is not a name of a label`);
  return { targets, ...(Object.keys(labels).length === 0 ? {} : { labels }) };
}
