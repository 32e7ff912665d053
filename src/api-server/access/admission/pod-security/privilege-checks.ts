import {
  type Check,
  type CheckedContainer,
  containersOf,
  namedContainers,
  quoted,
  setters,
  sortedSet,
  type Violation,
} from './checked-pod.js';

/** Checks of what a container may do. Source of all: pod-security-admission `policy/check_*.go`. */
export const privileged: Check = ({ spec }) => {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.privileged === true);
  return bad.length === 0
    ? undefined
    : { reason: 'privileged', detail: `${namedContainers(bad)} must not set securityContext.privileged=true` };
};

export const allowPrivilegeEscalation: Check = ({ spec }) => {
  const bad = containersOf(spec).filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  const detail = `${namedContainers(bad)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
};

export const procMount: Check = ({ spec }) => {
  const typeOf = ({ securityContext }: CheckedContainer) => securityContext?.procMount ?? 'Default';
  const bad = containersOf(spec).filter((container) => typeOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  const detail = `${namedContainers(bad)} must not set securityContext.procMount to ${quoted(sortedSet(bad.map(typeOf)))}`;
  return { reason: 'procMount', detail };
};

/** Lets Pods with a user namespace of their own pass: their root has no rights on the node. */
export function exceptUserNamespaces(check: Check): Check {
  return (pod) => (pod.spec.hostUsers === false ? undefined : check(pod));
}

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

export const capabilitiesBaseline: Check = ({ spec }) => {
  const detail = forbiddenAdditions(containersOf(spec), DEFAULT_CAPABILITIES);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

export const capabilitiesRestricted: Check = ({ spec }) => {
  const containers = containersOf(spec);
  const keeping = containers.filter(({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL') !== true);
  const details = [
    keeping.length === 0 ? undefined : `${namedContainers(keeping)} must set securityContext.capabilities.drop=["ALL"]`,
    forbiddenAdditions(containers, new Set(['NET_BIND_SERVICE'])),
  ].filter((detail) => detail !== undefined);
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

function forbiddenAdditions(containers: readonly CheckedContainer[], allowed: ReadonlySet<string>): string | undefined {
  const addedBy = ({ securityContext }: CheckedContainer) =>
    (securityContext?.capabilities?.add ?? []).filter((capability) => !allowed.has(capability));
  const bad = containers.filter((container) => addedBy(container).length > 0);
  if (bad.length === 0) return undefined;
  return `${namedContainers(bad)} must not include ${quoted(sortedSet(bad.flatMap(addedBy)))} in securityContext.capabilities.add`;
}

const NOT_NON_ROOT = 'runAsNonRoot != true';

export const runAsNonRoot: Check = ({ spec }): Violation | undefined => {
  const pod = spec.securityContext?.runAsNonRoot;
  const containers = containersOf(spec);
  const who = setters(
    pod === false,
    containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === false),
  );
  if (who !== undefined) return { reason: NOT_NON_ROOT, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = pod === true ? [] : containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason: NOT_NON_ROOT, detail: `pod or ${namedContainers(silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsUser: Check = ({ spec }) => {
  const who = setters(
    spec.securityContext?.runAsUser === 0,
    containersOf(spec).filter(({ securityContext }) => securityContext?.runAsUser === 0),
  );
  return who === undefined ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
};

/** @param names that the version knows as safe: of the pod's own, and harmless to others on the node */
export function sysctls(...names: readonly string[]): Check {
  return ({ spec }) => {
    const bad = (spec.securityContext?.sysctls ?? []).filter(({ name }) => !names.includes(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.map(({ name }) => name).join(', ') };
  };
}
