import type { Admitted, Refusal } from 'keelson';
import type { Container, Pod, PodSpec } from 'keelson/kinds';
import { hashesOf } from './hashes.js';
import { injectedLabel } from './names.js';
import { hashesIn, marked } from './pod-marks.js';
import type { SidecarSet } from './sidecar-set.js';

type AdmittedPod = Admitted<Pod>;
type EnvVar = NonNullable<Container['env']>[number];

// #region inject
/**
 * Gives a Pod the sidecars of all these SidecarSets, in the order of their names.
 *
 * - Containers: after those of the Pod, or before them where `injectPolicy` says so. Init containers: before those of the Pod, which may need what they start.
 * - Env: what the sidecar says itself, then what it takes over from the Pod, then `IS_INJECTED=true`.
 * - Volumes and pull secrets: each once; a volume that is there already under the name must be the same one.
 * - A Pod that has the sidecars of a SidecarSet is left as it is, so that to be called again adds nothing.
 *
 * @returns the Pod, or why it cannot have the sidecars: a name that is taken
 */
export function inject(pod: AdmittedPod, sets: readonly SidecarSet[]): AdmittedPod | readonly Refusal[] {
  let injected = pod;
  for (const set of sets.toSorted(byName)) {
    const taken = namesTaken(injected, set);
    if (taken.length > 0) return taken;
    injected = withSidecars(injected, set);
  }
  return injected;
}
// #endregion

function byName(left: SidecarSet, right: SidecarSet): number {
  return left.metadata.name < right.metadata.name ? -1 : 1;
}

/** Sidecars that are there under the mark of their SidecarSet are not strangers. */
function namesTaken(pod: AdmittedPod, { metadata: { name: set }, spec }: SidecarSet): Refusal[] {
  const hint = `of SidecarSet '${set}', which selects this Pod; choose another name, or labels that it does not select`;
  const sidecars = new Set([...(spec.initContainers ?? []), ...spec.containers].map(({ name }) => name));
  const isMarked = hashesIn(pod, set) !== undefined;
  const containers = (['initContainers', 'containers'] as const).flatMap((list) =>
    (pod.spec?.[list] ?? []).map(({ name }, index) => ({ name, path: `spec.${list}[${index}].name` })),
  );
  const named = containers.filter(({ name }) => !isMarked && sidecars.has(name));
  const volumes = (pod.spec?.volumes ?? []).flatMap((volume, index) => {
    const other = spec.volumes?.find(({ name }) => name === volume.name);
    return isMarked || other === undefined || covers(volume, other) ? [] : [{ name: volume.name, path: `spec.volumes[${index}]` }];
  });
  return [
    ...named.map(({ name, path }) => ({ path, type: 'Forbidden' as const, message: `'${name}' is the name of a sidecar ${hint}` })),
    ...volumes.map(({ name, path }) => ({ path, type: 'Forbidden' as const, message: `'${name}' is another volume than that ${hint}` })),
  ];
}

function withSidecars(pod: AdmittedPod, set: SidecarSet): AdmittedPod {
  const { spec } = set;
  const { containers = [], initContainers = [], volumes = [], imagePullSecrets = [], ...rest } = (pod.spec ?? {}) as PodSpec;
  const present = new Set([...containers, ...initContainers].map(({ name }) => name));
  const missing = (sidecars: readonly Container[] = []): Container[] =>
    sidecars.filter(({ name }) => !present.has(name)).map((sidecar) => withInjectedEnv(sidecar, set, containers));
  const added = missing(spec.containers);
  const [before, after] = spec.injectPolicy === 'BeforeAppContainers' ? [added, []] : [[], added];
  const allVolumes = union(volumes, spec.volumes);
  const allSecrets = union(imagePullSecrets, spec.imagePullSecrets);
  const allInit = [...missing(spec.initContainers), ...initContainers];
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: { ...pod.metadata.labels, ...injectedLabel },
      annotations:
        hashesIn(pod, set.metadata.name) !== undefined && added.length === 0
          ? { ...pod.metadata.annotations }
          : marked(pod, set.metadata.name, hashesOf(spec)),
    },
    spec: {
      ...rest,
      ...(allInit.length === 0 ? {} : { initContainers: allInit }),
      containers: [...before, ...containers, ...after],
      ...(allVolumes.length === 0 ? {} : { volumes: allVolumes }),
      ...(allSecrets.length === 0 ? {} : { imagePullSecrets: allSecrets }),
    },
  };
}

/** A variable that the sidecar has itself is its own; one that the container of the Pod has not is left out. */
function withInjectedEnv(sidecar: Container, { spec: { transferEnv = [] } }: SidecarSet, containers: readonly Container[]): Container {
  const own = (sidecar.env ?? []).filter(({ name }) => name !== 'IS_INJECTED');
  const taken = transferEnv.flatMap(({ name, from }): EnvVar[] => {
    const variable = containers.find((container) => container.name === from)?.env?.find((candidate) => candidate.name === name);
    return variable === undefined || own.some((candidate) => candidate.name === name) ? [] : [variable];
  });
  return { ...sidecar, env: [...own, ...taken, { name: 'IS_INJECTED', value: 'true' }] };
}

function union<T extends { readonly name?: string | undefined }>(present: readonly T[], more: readonly T[] = []): T[] {
  return [...present, ...more.filter(({ name }) => !present.some((other) => other.name === name))];
}

/** Whether a volume of the Pod has all that the SidecarSet says of its own; the API server has filled in more. */
function covers(given: unknown, asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null) return given === asked;
  if (typeof given !== 'object' || given === null) return false;
  return Object.entries(asked).every(([field, value]) => covers((given as Readonly<Record<string, unknown>>)[field], value));
}
