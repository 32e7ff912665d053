import { InvalidObject } from './assets.js';
import type { ServiceMonitor } from './kinds.js';
import type { RelabelConfig } from './relabeling.js';

/** Objects that Prometheus discovers with their labels. */
type Discovered = 'service' | 'pod' | 'ingress';

export const keep = (label: string, regex: string): RelabelConfig => ({ source_labels: [label], regex, action: 'keep' });

/** A label as Prometheus’ discovery names it. */
const sanitized = (label: string): string => label.replace(/[^a-zA-Z0-9_]/g, '_');

/** Discovery gives all objects of a namespace: these steps leave the selected ones. */
export function selectorSteps(
  { matchLabels = {}, matchExpressions = [] }: ServiceMonitor['spec']['selector'],
  of: Discovered,
): RelabelConfig[] {
  const label = (key: string): string => `__meta_kubernetes_${of}_label_${sanitized(key)}`;
  const present = (key: string): string => `__meta_kubernetes_${of}_labelpresent_${sanitized(key)}`;
  const isOneOf = (key: string, values: readonly string[], action: 'keep' | 'drop'): RelabelConfig => ({
    source_labels: [label(key), present(key)],
    regex: `(${values.map(quoted).join('|')});true`,
    action,
  });
  return [
    ...Object.entries(matchLabels)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => isOneOf(key, [value], 'keep')),
    ...matchExpressions.map(({ key, operator, values = [] }): RelabelConfig => {
      switch (operator) {
        case 'In':
          return isOneOf(key, values, 'keep');
        case 'NotIn':
          return isOneOf(key, values, 'drop');
        case 'Exists':
          return { source_labels: [present(key)], regex: 'true', action: 'keep' };
        case 'DoesNotExist':
          return { source_labels: [present(key)], regex: 'true', action: 'drop' };
        default:
          throw new InvalidObject(`selector.matchExpressions: there is no operator ${operator as string}`);
      }
    }),
  ];
}

/** Values of labels have dots, which mean any character. */
const quoted = (value: string): string => value.replace(/[.]/g, '\\.');

export function copiedLabels(labels: readonly string[] = [], of: Discovered): RelabelConfig[] {
  return labels.map((label) => ({
    source_labels: [`__meta_kubernetes_${of}_label_${sanitized(label)}`],
    target_label: sanitized(label),
    regex: '(.+)',
    replacement: '$1',
  }));
}

/** The label job, where the object that names the target has one of its own for it. */
export function jobSteps(label: string | undefined, of: Discovered): RelabelConfig[] {
  if (label === undefined) return [];
  const source = `__meta_kubernetes_${of}_label_${sanitized(label)}`;
  return [{ source_labels: [source], target_label: 'job', regex: '(.+)', replacement: '$1' }];
}
