import { nameInGroup } from '@keelson/kubernetes/apimachinery';
import { quantityOf, type ResourceList } from '../pod-resources/index.js';
import type { QuotaEvaluator } from './evaluator.js';

/** Names of counts from the time before `count/…`. */
const ALIASES: ReadonlySet<string> = new Set(['configmaps', 'replicationcontrollers', 'resourcequotas', 'secrets']);

interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** Any resource can be counted. Source: apiserver `pkg/quota/v1/generic`. */
export function objectCount({ group, plural }: ResourceName): QuotaEvaluator {
  const counted = [countName({ group, plural }), ...(group === '' && ALIASES.has(plural) ? [plural] : [])];
  const usage: ResourceList = new Map(counted.map((name) => [name, quantityOf('1')]));
  return {
    counted: (names) => names.filter((name) => counted.includes(name)),
    handles: ({ subresource, operation }) => subresource === '' && operation === 'CREATE',
    usage: () => usage,
  };
}

function countName({ group, plural }: ResourceName): string {
  return `count/${nameInGroup(plural, group)}`;
}
