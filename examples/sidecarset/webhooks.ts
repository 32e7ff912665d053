import { defaulting, draftOf, labelSelectorProblem, mutating, type Refusal, validating } from 'keelson';
import { type Container, Namespace, Pod } from 'keelson/kinds';
import { withContainerDefaults } from './container-defaults.js';
import { hashesOf } from './hashes.js';
import { inject } from './injection.js';
import { HASH_ANNOTATION, HASH_WITHOUT_IMAGE_ANNOTATION } from './names.js';
import { allContainers, setsFor, sharedNames } from './selection.js';
import { SidecarSet } from './sidecar-set.js';

// #region pods
/** Adds the sidecars to Pods as they are created. Namespaces that are labelled `control-plane` are left alone, as are those without which nothing could start. */
export const podSidecars = mutating(Pod, {
  operations: ['CREATE'],
  watches: { sets: SidecarSet, namespaces: Namespace },
  namespaceSelector: { matchExpressions: [{ key: 'control-plane', operator: 'DoesNotExist' }] },
  timeoutSeconds: 5,
  apply: (pod, { sets, namespaces, namespace = '' }) =>
    inject(pod, setsFor({ labels: pod.metadata.labels, namespace, inNamespace: namespaces.get(namespace) }, sets.list())),
});
// #endregion

// #region defaults
/** Completes the containers, and writes the hashes of the result. */
export const sidecarDefaults = defaulting(SidecarSet, ({ metadata, spec }, { old }) => {
  const before = new Map(allContainers({ containers: [], ...old?.spec }).map((container) => [container.name, container]));
  const complete = (container: Container) => draftOf(withContainerDefaults(container, before.get(container.name)));
  spec.containers = spec.containers.map(complete);
  if (spec.initContainers !== undefined) spec.initContainers = spec.initContainers.map(complete);
  const { hash, hashWithoutImage } = hashesOf(spec);
  metadata.annotations = { ...metadata.annotations, [HASH_ANNOTATION]: hash, [HASH_WITHOUT_IMAGE_ANNOTATION]: hashWithoutImage };
});
// #endregion

// #region checks
/** Checks beyond the schema. Objects that were stored before a rule stay: else users could not label or delete them. */
export const sidecarSetChecks = validating(
  SidecarSet,
  ({ metadata: { name = '' }, spec }, { old, sets }) => [
    ...(/^[a-z0-9-]{1,63}$/.test(name)
      ? []
      : [{ path: 'metadata.name', message: 'must be letters, digits and dashes, at most 63 of them' }]),
    ...selectorRefusals(spec),
    ...nameRefusals(spec),
    ...sets.list().flatMap((other) => (other.metadata.name === name ? [] : clashes({ spec, old: old?.spec }, other))),
  ],
  { watches: { sets: SidecarSet } },
);
// #endregion

type Spec = SidecarSet['spec'];

function selectorRefusals({ selector, namespaceSelector, updateStrategy }: Spec): Refusal[] {
  const selectors = {
    'spec.selector': selector,
    'spec.namespaceSelector': namespaceSelector,
    'spec.updateStrategy.selector': updateStrategy.selector,
  };
  return Object.entries(selectors).flatMap(([path, given]) => {
    const problem = given === undefined ? undefined : labelSelectorProblem(given);
    return problem === undefined ? [] : [{ path, message: problem }];
  });
}

/** Refusals as the API server would make them for each Pod, too late for the author of the SidecarSet. */
function nameRefusals({ initContainers = [], containers }: Spec): Refusal[] {
  const named = (path: string, list: readonly Container[]) => list.map(({ name }, index) => ({ path: `${path}[${index}].name`, name }));
  const all = [...named('spec.initContainers', initContainers), ...named('spec.containers', containers)];
  return all.flatMap(({ path, name }, index): Refusal[] => {
    if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name))
      return [{ path, message: 'must be a DNS label: lower case letters, digits and dashes' }];
    return all.findIndex((other) => other.name === name) === index ? [] : [{ path, type: 'Duplicate', message: '' }];
  });
}

/** Both could select one Pod, which cannot have two containers of one name. */
function clashes({ spec, old }: { readonly spec: Spec; readonly old: Spec | undefined }, { metadata, spec: other }: SidecarSet): Refusal[] {
  const before = old === undefined ? [] : sharedNames(old, other);
  return sharedNames(spec, other)
    .filter((name) => !before.includes(name))
    .map((name) => {
      const list = spec.containers.some((container) => container.name === name) ? 'containers' : 'initContainers';
      const index = (spec[list] ?? []).findIndex((container) => container.name === name);
      return { path: `spec.${list}[${index}].name`, message: `is taken by SidecarSet ${metadata.name}, which may select the same Pods` };
    });
}
