import { type FieldError, forbidden, goQuote, invalid } from '@keelson/kubernetes/apimachinery';
import type { Variant } from '../../behaviour.js';
import type { Errors, ResourceList } from '../../checks/index.js';
import type { Container, Pod, PodSpec } from '../../drafts.js';
import { countChangedSpec, keepStatus } from '../../generation.js';
import { semanticEqual } from '../../semantic-equal.js';
import { isSidecar } from '../containers/index.js';
import { dropDisabledPodFields } from './disabled-pod-fields.js';
import { podAnnotationUpdateErrors } from './pod-annotations.js';
import { qosClassOf } from './pod-qos.js';
import { podErrors } from './pod-validation.js';

/** Subresources that change what an update of the pod may not. Source: kubernetes `pkg/registry/core/pod/strategy.go`, `pkg/apis/core/validation`. */
export const ephemeralContainers: Variant<Pod> = {
  prepareForUpdate(pod, old) {
    const { ephemeralContainers: containers } = pod.spec;
    const { ephemeralContainers: _before, ...kept } = structuredClone(old.spec);
    keepAllOf(pod, old, { ...kept, ...(containers && { ephemeralContainers: containers }) });
  },
  validateUpdate(pod, old) {
    const errors = [...podErrors(pod), ...annotationErrors(pod, old)];
    if (isStatic(old)) return [forbidden('', 'static pods do not support ephemeral containers')];
    const current = new Map((pod.spec.ephemeralContainers ?? []).map((container) => [container.name, container]));
    for (const before of old.spec.ephemeralContainers ?? []) {
      const now = current.get(before.name);
      const text = `existing ephemeral containers ${goQuote(before.name)} may not be`;
      if (now === undefined) errors.push(forbidden('spec.ephemeralContainers', `${text} removed\n`));
      else if (!semanticEqual(now, before)) errors.push(forbidden('spec.ephemeralContainers', `${text} changed`));
    }
    return errors;
  },
};

export const resize: Variant<Pod> = {
  prepareForUpdate(pod, old) {
    const containers = withResourcesOf(pod.spec.containers, old.spec.containers);
    const initContainers = withResourcesOf(pod.spec.initContainers, old.spec.initContainers);
    // Containers that came, went or changed places are for validation to refuse.
    if (containers === undefined || initContainers === undefined) return;
    const spec = { ...structuredClone(old.spec), containers };
    keepAllOf(pod, old, initContainers.length === 0 ? spec : { ...spec, initContainers });
  },
  validateUpdate: resizeErrors,
};

/** Only the managed fields of the metadata are the writer's. Source: apimachinery `ResetObjectMetaForStatus`. */
function keepAllOf(pod: Pod, old: Pod, spec: PodSpec): void {
  pod.spec = spec;
  keepStatus(pod, old);
  const metadata = pod.metadata as object as Record<string, unknown>;
  const before = old.metadata as object as Readonly<Record<string, unknown>>;
  for (const field of ['deletionTimestamp', 'labels', 'annotations', 'finalizers', 'ownerReferences']) {
    if (before[field] === undefined) delete metadata[field];
    else metadata[field] = structuredClone(before[field]);
  }
  dropDisabledPodFields(pod.spec, old.spec);
  countChangedSpec(pod, old);
}

function annotationErrors(pod: Pod, old: Pod): Errors {
  return podAnnotationUpdateErrors(pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}, 'metadata.annotations');
}

function isStatic({ metadata }: Pod): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
}

/** Undefined: other containers, or in another order. */
function withResourcesOf(containers: readonly Container[] | undefined, old: readonly Container[] | undefined): Container[] | undefined {
  const [now, before] = [containers ?? [], old ?? []];
  if (now.length !== before.length) return undefined;
  // The server stops at the first that is another, and takes all as they are.
  if (now.some(({ name }, index) => name !== before[index]?.name)) return [...now];
  return before.map((container, index) => {
    const { resources, resizePolicy } = now[index] ?? {};
    const { resizePolicy: _policy, ...rest } = structuredClone(container);
    return { ...rest, resources, ...(resizePolicy === undefined ? {} : { resizePolicy }) };
  });
}

function resizeErrors(pod: Pod, old: Pod): Errors {
  const reason = unresizable(pod, old);
  if (reason !== undefined) return [forbidden('', reason)];
  const errors: FieldError[] = [...podErrors(pod)];
  const qosClass = old.status?.qosClass ?? qosClassOf(old.spec);
  if (qosClass !== qosClassOf(pod.spec)) {
    errors.push(invalid('spec', pod.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing'));
  }
  const running = (old.status?.containerStatuses ?? []).find(({ state }) => state?.running !== undefined);
  if (running !== undefined && running.resources === undefined)
    errors.push(forbidden('spec', 'Pod running on node without support for resize'));
  const orderErrors = [...orderingErrors(pod, old, 'containers'), ...orderingErrors(pod, old, 'initContainers')];
  if (orderErrors.length > 0) return [...errors, ...orderErrors];
  errors.push(...removedErrors(pod, old), ...otherResourceErrors(pod, old));
  return errors.length > 0 || hasOnlyNewResources(pod, old) ? errors : [forbidden('spec', 'only cpu and memory resources are mutable')];
}

function unresizable(pod: Pod, old: Pod): string | undefined {
  const hasOwn = ({ spec: { resources } }: Pod): boolean =>
    Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0;
  if (hasOwn(pod) || hasOwn(old)) return 'pods with pod-level resources cannot be resized';
  if (isStatic(old)) return 'static pods cannot be resized';
  return old.spec.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

function orderingErrors(pod: Pod, old: Pod, kind: 'containers' | 'initContainers'): Errors {
  const [now, before] = [pod.spec[kind] ?? [], old.spec[kind] ?? []];
  if (now.length !== before.length) return [forbidden(`spec.${kind}`, `${kind} may not be added or removed on resize`)];
  return before.flatMap(({ name }, index) =>
    now[index]?.name === name ? [] : [forbidden(`spec.${kind}[${index}].name`, `${kind} may not be renamed or reordered on resize`)],
  );
}

function removedErrors(pod: Pod, old: Pod): Errors {
  const lists = [
    ...(old.spec.initContainers ?? []).map((container, index) => ({ kind: 'initContainers' as const, container, index })),
    ...(old.spec.containers ?? []).map((container, index) => ({ kind: 'containers' as const, container, index })),
  ];
  return lists
    .filter(({ kind, container }) => kind === 'containers' || isSidecar(container))
    .flatMap(({ kind, container, index }) =>
      (['requests', 'limits'] as const).flatMap((what) => {
        const now = pod.spec[kind]?.[index]?.resources?.[what] ?? {};
        const isRemoved = Object.keys(container.resources?.[what] ?? {}).some((name) => now[name] === undefined);
        return isRemoved ? [forbidden(`spec.${kind}[${index}].resources.${what}`, `resource ${what} cannot be removed`)] : [];
      }),
    );
}

function otherResourceErrors(pod: Pod, old: Pod): Errors {
  const errors: FieldError[] = [];
  for (const [index, container] of (pod.spec.containers ?? []).entries()) {
    const before = old.spec.containers[index];
    if (before !== undefined && !isSameButCpuAndMemory(container, before))
      errors.push(forbidden('spec', 'only cpu and memory resources are mutable'));
  }
  for (const [index, container] of (pod.spec.initContainers ?? []).entries()) {
    const before = old.spec.initContainers?.[index];
    if (before === undefined) continue;
    if (!isSidecar(container)) {
      if (!semanticEqual(container, before)) errors.push(forbidden('spec', 'resources for non-sidecar init containers are immutable'));
    } else if (!isSameButCpuAndMemory(container, before)) {
      errors.push(forbidden('spec', 'only cpu and memory resources for sidecar containers are mutable'));
    }
  }
  return errors;
}

function isSameButCpuAndMemory(container: Container, old: Container): boolean {
  return semanticEqual(withCpuAndMemoryOf(container, old), { ...old, resources: nonEmpty(old.resources ?? {}) });
}

function withCpuAndMemoryOf(container: Container, old: Container): Container {
  const keep = (list: ResourceList | undefined, before: ResourceList | undefined): ResourceList | undefined => {
    if (before === undefined) return undefined;
    const { cpu: _cpu, memory: _memory, ...others } = list ?? {};
    const kept = Object.entries(before).filter(([name]) => name === 'cpu' || name === 'memory');
    return { ...others, ...Object.fromEntries(kept) };
  };
  const { limits, requests } = container.resources ?? {};
  return {
    ...container,
    resources: nonEmpty({ limits: keep(limits, old.resources?.limits), requests: keep(requests, old.resources?.requests) }),
  };
}

function nonEmpty({ limits, requests, ...rest }: NonNullable<Container['resources']>): NonNullable<Container['resources']> {
  return { ...rest, ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) };
}

function hasOnlyNewResources(pod: Pod, old: Pod): boolean {
  const without = ({ containers: _containers, initContainers: _init, ...rest }: PodSpec): unknown => rest;
  return semanticEqual(without(pod.spec), without(old.spec));
}
