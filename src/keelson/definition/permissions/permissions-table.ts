import { nameInGroup, type PolicyRule } from '@keelson/kubernetes/apimachinery';
import type { OperatorModel } from '../model.js';
import type { Grant, PermissionsOptions } from './grant.js';
import { permissionsOf } from './permissions-of.js';

/**
 * Prints who may do what, and because of which declaration: one line per grant, for people who review an operator before they install it.
 *
 * The text ends without a line break, and is the same for the same operator and options.
 *
 * @example
 * ```ts
 * console.log(permissionsTable(operator));
 * ```
 */
export function permissionsTable(operator: OperatorModel, options: PermissionsOptions = {}): string {
  const where = placesOf(operator, options);
  const rows = permissionsOf(operator, options).grants.flatMap((grant) => rowsOf(grant, where(grant)));
  const lines = [['MAY', 'ON', 'WHERE', 'BECAUSE'], ...rows];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [`The service account of ${operator.name}:`, '', ...table].join('\n');
}

function placesOf(operator: OperatorModel, { scope }: PermissionsOptions): (grant: Grant) => string {
  const watched = scope === undefined || scope === 'Cluster' ? 'everywhere' : `in ${scope.namespaces.join(', ')}`;
  const places = { cluster: 'everywhere', watched, own: `where ${operator.name} runs` };
  return ({ placement, namespaces = [] }) => (placement === 'named' ? `in ${namespaces.join(', ')}` : places[placement]);
}

function rowsOf({ rule, because }: Grant, where: string): string[][] {
  const verbs = rule.verbs.join(', ');
  return targetsOf(rule).map((target) => [verbs, target, where, because]);
}

function targetsOf(rule: PolicyRule): string[] {
  const names = rule.resourceNames === undefined ? '' : ` ${rule.resourceNames.join(', ')}`;
  const resources = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).map((resource) => `${qualified(resource, group)}${names}`),
  );
  return [...resources, ...(rule.nonResourceURLs ?? [])];
}

/** As kubectl writes it: `deployments.apps`, and the subresource after the group: `memcacheds.cache.example.com/status`. */
function qualified(resource: string, group: string): string {
  const [plural = resource, ...subresource] = resource.split('/');
  return [nameInGroup(plural, group), ...subresource].join('/');
}
