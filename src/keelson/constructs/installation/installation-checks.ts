import { DNS_1123_LABEL, DNS_1123_SUBDOMAIN, labelSelectorProblem } from '@keelson/kubernetes/apimachinery';
import type { Construct } from 'constructs';
import { LOG_LEVELS, type OperatorModel, selectorProblem } from '../../definition/index.js';
import { ConstructError, isName, refuseLazy } from '../object/index.js';
import type { OperatorScope, OperatorSettings } from './operator-settings.js';

/**
 * Limits of an installation's settings. The types say most of it; what they cannot say, or what untyped code passes, would otherwise become a
 * manifest that the API server refuses, or a process that does not start.
 */

/** @throws ConstructError for the first setting that cannot be used */
export function checkSettings(scope: Construct, settings: OperatorSettings): void {
  const { operator, name, namespace, selector, fieldSelector, logLevel, leaderElection, certificates, scope: watched } = settings;
  refuseLazy(scope, { name, namespace, selector, fieldSelector, logLevel, leaderElection, certificates, scope: watched });
  if (typeof operator?.name !== 'string' || !Array.isArray(operator.controllers)) {
    throw new ConstructError(scope, 'operator is not an operator; pass what defineOperator returned');
  }
  if (logLevel !== undefined && !LOG_LEVELS.includes(logLevel)) {
    throw new ConstructError(scope, `logLevel '${String(logLevel)}' is unknown; write one of ${LOG_LEVELS.join(', ')}`);
  }
  if (typeof leaderElection === 'object' && !isName(DNS_1123_SUBDOMAIN, leaderElection.leaseName)) {
    throw new ConstructError(scope, `leaderElection.leaseName: '${leaderElection.leaseName}' must be ${DNS_1123_SUBDOMAIN.says}`);
  }
  checkScope(scope, watched);
  checkNamedNamespaces(scope, operator, watched);
  checkSelectors(scope, settings);
  checkReaders(scope, settings.metrics);
}

function checkReaders(scope: Construct, metrics: OperatorSettings['metrics']): void {
  if (typeof metrics !== 'object' || metrics.readers === undefined) return;
  if (metrics.secure === false && metrics.readers.length > 0)
    throw new ConstructError(scope, 'metrics.readers are given, but metrics.secure is false: every client may read; leave one of them out');
  const wrong = metrics.readers.find(({ name, namespace }) => !isName(DNS_1123_SUBDOMAIN, name) || !isName(DNS_1123_LABEL, namespace));
  if (wrong === undefined) return;
  throw new ConstructError(scope, `metrics.readers: '${wrong.namespace}/${wrong.name}' is not a ServiceAccount; write { name, namespace }`);
}

function checkScope(scope: Construct, watched: OperatorScope | undefined): void {
  if (watched === undefined || watched === 'Cluster') return;
  const namespaces: unknown = watched.namespaces;
  if (!isList(namespaces) || namespaces.length === 0)
    throw new ConstructError(scope, "scope.namespaces is empty: name the namespaces to watch, or write scope: 'Cluster'");
  for (const namespace of namespaces) {
    if (!isName(DNS_1123_LABEL, namespace))
      throw new ConstructError(scope, `scope.namespaces: '${String(namespace)}' must be ${DNS_1123_LABEL.says}`);
  }
  const twice = namespaces.find((namespace, index) => namespaces.indexOf(namespace) !== index);
  if (twice !== undefined) throw new ConstructError(scope, `scope.namespaces: '${String(twice)}' is named twice`);
}

/** The process would not start: a watch in none of the namespaces that the operator serves is a mistake of one or the other. */
function checkNamedNamespaces(scope: Construct, operator: OperatorModel, watched: OperatorScope | undefined): void {
  if (typeof watched !== 'object') return;
  const all = [...operator.controllers, ...operator.webhooks].flatMap(({ name, watches = {} }) =>
    Object.entries(watches).map(([handle, watch]) => ({ name, handle, namespaces: watch.select?.namespaces })),
  );
  const lost = all.find(({ namespaces }) => namespaces !== undefined && !namespaces.some((each) => watched.namespaces.includes(each)));
  if (lost === undefined) return;
  throw new ConstructError(
    scope,
    `scope.namespaces has none of the namespaces ${lost.namespaces?.join(', ')} that ${lost.name} selects for watches.${lost.handle}; add one, or read the kind on demand: reads: { ${lost.handle}: read(Kind, { namespaces }) }`,
  );
}

/** @throws ConstructError for a selector that the process, or the API server, would refuse */
function checkSelectors(scope: Construct, settings: OperatorSettings): void {
  const problem = selectorProblem(settings, settings.operator.controllers);
  const wrong = settings.webhookSelector === undefined ? undefined : labelSelectorProblem(settings.webhookSelector);
  if (wrong !== undefined) throw new ConstructError(scope, `webhookSelector: ${wrong}`);
  if (problem !== undefined) throw new ConstructError(scope, `${problem.part}: '${problem.found}' ${problem.message}`);
}

/** `Array.isArray` would widen the items to `any`. */
function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

interface Ports {
  readonly ports: { readonly health: number; readonly webhook: number };
  readonly metrics: { readonly port: number } | undefined;
  readonly hasWebhookServer: boolean;
  readonly endpoints: readonly { readonly name: string; readonly port: number }[];
}

/** Each server of the process needs a port of its own. */
export function checkPorts(scope: Construct, { ports, metrics, hasWebhookServer, endpoints }: Ports): void {
  const used = new Map<number, string>();
  const served: readonly (readonly [string, number | undefined])[] = [
    ['ports.health', ports.health],
    ['metrics.port', metrics?.port],
    ['ports.webhook', hasWebhookServer ? ports.webhook : undefined],
    ...endpoints.map(({ name, port }) => [`endpoints.${name}.port of the operator`, port] as const),
  ];
  for (const [setting, port] of served) {
    if (port === undefined) continue;
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new ConstructError(scope, `${setting} is ${port}; write a whole number from 1 to 65535`);
    const other = used.get(port);
    if (other !== undefined)
      throw new ConstructError(scope, `${setting} and ${other} are both ${port}; each server of the process needs a port of its own`);
    used.set(port, setting);
  }
}
