import { matchesFields, matchesLabels, parseFieldSelector, parseLabelSelector } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../../contract/index.js';
import type { BuiltinHandlers } from '../../kinds/index.js';
import { badRequest, notFound } from '../../status/index.js';

/** As the real server's words for what is missing have it. */
const MISSING = { group: '', plural: 'componentstatus' };
const FIELDS = ['metadata.name', 'metadata.namespace'];

/** The parts of a control plane that run in this process. */
export interface RunningComponents {
  /** Controllers of owners, namespaces and roles. */
  readonly hasControllers: boolean;
  /** A scheduler, with the workloads. */
  readonly hasScheduler: boolean;
}

/**
 * The health of the scheduler, the controllers and the store, as `kubectl get componentstatuses` asks for it. A real server asks their ports; these are parts
 * of this process, or are not there at all.
 */
export function componentStatusHandler(running: () => RunningComponents): NonNullable<BuiltinHandlers[string]> {
  return async ({ name, query }) => {
    const all = componentsOf(running());
    if (name === '') return { items: all.filter(selected(query)) };
    const found = all.find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw notFound(MISSING, name);
    return { object: found };
  };
}

interface ComponentStatus extends JsonObject {
  readonly kind: 'ComponentStatus';
  readonly apiVersion: 'v1';
  readonly metadata: { readonly name: string };
}

function componentsOf({ hasControllers, hasScheduler }: RunningComponents): readonly ComponentStatus[] {
  return [
    component('scheduler', hasScheduler ? undefined : 'this server has no scheduler: it was started without workloads'),
    component('controller-manager', hasControllers ? undefined : 'this server has no controllers: its mode is envtest'),
    component('etcd-0', undefined),
  ];
}

function component(name: string, problem: string | undefined): ComponentStatus {
  const condition = { type: 'Healthy', status: problem === undefined ? 'True' : 'False', message: problem ?? 'ok' };
  return { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions: [condition] };
}

/** @throws StatusError 400 for a selector that cannot be read, or a field that is not the name */
function selected(query: URLSearchParams): (status: ComponentStatus) => boolean {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '');
  if ('problem' in labels) throw badRequest(labels.problem);
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '');
  if ('problem' in fields) throw badRequest(fields.problem);
  const unknown = fields.requirements.find(({ field }) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw badRequest(
      `${JSON.stringify(unknown.field)} is not a known field selector: only ${FIELDS.map((field) => JSON.stringify(field)).join(', ')}`,
    );
  return ({ metadata }) =>
    matchesLabels(labels.requirements, {}) &&
    matchesFields(fields.requirements, (field) => (field === 'metadata.name' ? metadata.name : ''));
}
