import { type FieldError, fieldErrorText, notSupported, required } from '@keelson/kubernetes/apimachinery';
import type { Pod } from '@keelson/kubernetes/kinds';
import { draftOf, type JsonObject, type MutableJson, type Served, type Subresource } from '../../contract/index.js';
import type { BuiltinHandlers } from '../../kinds/index.js';
import { badRequest, conflict, notFound, plainError } from '../../status/index.js';
import type { HandlerSurroundings } from './surroundings.js';

const PODS = { group: '', plural: 'pods' };

interface Binding {
  readonly metadata?: {
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly target?: { readonly kind?: string; readonly name?: string };
}

/**
 * `pods/binding` puts a Pod on a node; `bindings` is the older way, in which the body alone names the Pod. Source: kubernetes
 * `pkg/registry/core/pod/storage/storage.go`.
 */
export function bindingHandlers(surroundings: HandlerSurroundings): BuiltinHandlers {
  const bind = bindPod(surroundings);
  return {
    'pods/binding': bind,
    bindings: (request, context) => bind({ ...request, name: ((request.body ?? {}) as Binding).metadata?.name ?? '' }, context),
  };
}

function bindPod({ cluster, store, catalog, clock }: HandlerSurroundings): NonNullable<Subresource['handle']> {
  return async ({ namespace, name, body, validate }, context) => {
    const { metadata = {}, target = {} } = (body ?? {}) as Binding;
    if ((metadata.name ?? '') !== name) throw badRequest('name in URL does not match name in Binding object');
    await validate?.(body as JsonObject);
    const errors = targetErrors(target).map(fieldErrorText);
    if (errors.length > 0) throw plainError(errors.length === 1 ? String(errors[0]) : `[${errors.join(', ')}]`);
    if (name === '') throw badRequest('Name parameter required.');
    const pod = cluster.get(PODS, { namespace, name });
    if (pod === undefined) throw notFound(PODS, name);
    const problem = bindingProblem(pod as unknown as Pod, metadata);
    if (problem !== undefined) throw conflict({ group: '', plural: 'pods/binding' }, name, problem);
    const changed = boundPod(pod, { node: target.name ?? '', metadata, time: clock.now() });
    // In the order of the fields, as any other write leaves it.
    const { draft: bound } = (catalog.served('', 'v1', 'pods') as Served).version.strategy.decode(changed);
    const key = { resource: catalog.find('', 'pods')?.storageKey ?? 'pods', namespace, name };
    if (!context.isDryRun) store.update(key, bound);
    return { code: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
  };
}

/** Source: kubernetes `pkg/apis/core/validation` (ValidatePodBinding). */
function targetErrors({ kind = '', name = '' }: NonNullable<Binding['target']>): readonly FieldError[] {
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name', '')] : []),
  ];
}

function bindingProblem({ metadata, spec }: Pod, wanted: NonNullable<Binding['metadata']>): string | undefined {
  const name = metadata?.name ?? '';
  if (wanted.uid && wanted.uid !== metadata?.uid)
    return `Precondition failed: UID in precondition: ${wanted.uid}, UID in object meta: ${metadata?.uid}`;
  if (wanted.resourceVersion && wanted.resourceVersion !== metadata?.resourceVersion) {
    return `Precondition failed: ResourceVersion in precondition: ${wanted.resourceVersion}, ResourceVersion in object meta: ${metadata?.resourceVersion}`;
  }
  if (metadata?.deletionTimestamp !== undefined) return `pod ${name} is being deleted, cannot be assigned to a host`;
  if (spec?.nodeName) return `pod ${name} is already assigned to node "${spec.nodeName}"`;
  return spec?.schedulingGates?.length ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}

function boundPod(
  pod: JsonObject,
  { node, metadata, time }: { readonly node: string; readonly metadata: NonNullable<Binding['metadata']>; readonly time: Date },
): JsonObject {
  const draft = draftOf(pod) as unknown as {
    metadata: { annotations?: Record<string, string>; labels?: Record<string, string> };
    spec: { nodeName?: string };
    status?: { conditions?: { type: string }[] };
  };
  draft.spec.nodeName = node;
  const { annotations = {}, labels = {} } = metadata;
  if (Object.keys(annotations).length > 0) draft.metadata.annotations = { ...draft.metadata.annotations, ...annotations };
  if (Object.keys(labels).length > 0) draft.metadata.labels = { ...draft.metadata.labels, ...labels };
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: `${time.toISOString().slice(0, 19)}Z`,
  };
  const others = (draft.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  draft.status = { ...draft.status, conditions: [...others, scheduled] };
  return draft as unknown as { [field: string]: MutableJson };
}
