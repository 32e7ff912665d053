import { invalid, qualifiedNameProblems } from '@keelson/kubernetes/apimachinery';
import type { DeleteRequest } from '../../../contract/index.js';
import type { Behaviour } from '../behaviour.js';
import { type Errors, invalidEach, labelNames, those } from '../checks/index.js';
import type { Namespace } from '../drafts.js';
import { fieldLabels } from '../field-labels.js';
import { keepSpec, keepStatus } from '../generation.js';

const OWN_FINALIZER = 'kubernetes';
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set([OWN_FINALIZER, 'orphan', 'foregroundDeletion']);

/**
 * Namespaces. The first DELETE makes them Terminating; they go when no finalizer is left in their spec and their metadata.
 *
 * Source: kubernetes `pkg/registry/core/namespace`, `pkg/apis/core/validation`.
 */
export const namespaces: Behaviour<Namespace> = {
  setDefaults(namespace) {
    if (namespace.metadata.name !== undefined && namespace.metadata.name !== '') labelWithName(namespace);
    namespace.status ??= {};
    namespace.status.phase ||= 'Active';
  },

  prepareForCreate(namespace) {
    labelWithName(namespace);
    namespace.status = { phase: 'Active' };
    namespace.spec ??= {};
    const { finalizers } = namespace.spec;
    if (!(finalizers ?? []).includes(OWN_FINALIZER)) namespace.spec.finalizers = [...(finalizers ?? []), OWN_FINALIZER];
  },
  validate: (namespace) => finalizerErrors(namespace, () => 'spec.finalizers'),

  prepareForUpdate(namespace, old) {
    labelWithName(namespace);
    keepSpec(namespace, old);
    keepStatus(namespace, old);
  },
  validateUpdate: (namespace) => finalizerErrors(namespace, () => 'spec.finalizers'),
  revalidatesMetadata: true,

  prepareForStatusUpdate(namespace, old) {
    labelWithName(namespace);
    keepSpec(namespace, old);
  },
  validateStatusUpdate: ({ metadata, status }) => phaseErrors(status ?? {}, 'deletionTimestamp' in metadata),

  variants: {
    finalize: {
      prepareForUpdate(namespace, old) {
        labelWithName(namespace);
        keepStatus(namespace, old);
      },
      validateUpdate: (namespace) => finalizerErrors(namespace, (index) => `spec.finalizers[${index}]`),
    },
  },

  nameProblems: labelNames,
  fieldLabels: fieldLabels(['status.phase']),
  terminate(namespace, request) {
    namespace.status = { ...namespace.status, phase: 'Terminating' };
    setPropagation(namespace, request);
  },
  mayBeRemoved: ({ spec }) => (spec?.finalizers ?? []).length === 0,
};

/** Selectors of network policies and webhooks find a namespace by it. */
function labelWithName(namespace: Namespace): void {
  const { metadata } = namespace;
  // One without a name gets here too: it is refused a step later.
  const { name = '' } = metadata as Partial<typeof metadata>;
  namespace.metadata = { ...metadata, labels: { ...metadata.labels, 'kubernetes.io/metadata.name': name } };
}

function finalizerErrors({ spec }: Namespace, pathOf: (index: number) => string): Errors {
  return (spec?.finalizers ?? []).flatMap((finalizer, index): Errors => {
    const path = pathOf(index);
    const isForeign = !finalizer.includes('/') && !STANDARD_FINALIZERS.has(finalizer);
    return those(
      invalidEach(path, finalizer, qualifiedNameProblems(finalizer)),
      isForeign && invalid(path, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'),
    );
  });
}

function phaseErrors({ phase = '' }: { readonly phase?: string | undefined }, isDeleted: boolean): Errors {
  if (isDeleted) {
    return phase === 'Terminating' ? [] : [invalid('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  }
  return phase === 'Active' ? [] : [invalid('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")];
}

/** Clients ask by finalizers for what happens to dependents; without a wish those stay that are there. */
function setPropagation(namespace: Namespace, { propagationPolicy }: DeleteRequest): void {
  if (propagationPolicy === undefined) return;
  const { finalizers = [] } = namespace.metadata as { readonly finalizers?: readonly string[] };
  const others = finalizers.filter((finalizer) => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion');
  const wanted = propagationPolicy === 'Orphan' ? ['orphan'] : propagationPolicy === 'Foreground' ? ['foregroundDeletion'] : [];
  const metadata: { finalizers?: string[] } = { ...namespace.metadata, finalizers: [...others, ...wanted] } as never;
  if (metadata.finalizers?.length === 0) delete metadata.finalizers;
  namespace.metadata = metadata as Namespace['metadata'];
}
