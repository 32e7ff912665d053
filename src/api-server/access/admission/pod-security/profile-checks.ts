import { goQuote } from '@keelson/kubernetes/apimachinery';
import type { PodSecurityContext, SecurityContext } from '@keelson/kubernetes/kinds';
import {
  type Check,
  type CheckedContainer,
  type CheckedPod,
  containersOf,
  counted,
  isWindows,
  namedContainers,
  quoted,
  setters,
  sortedSet,
  type Violation,
} from './checked-pod.js';

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';
const ALLOWED_TYPES: ReadonlySet<string> = new Set(['RuntimeDefault', 'Localhost']);

/** Checks of AppArmor, SELinux and seccomp. Source of all: pod-security-admission `policy/check_*.go`. */
export const appArmorProfile: Check = ({ spec, annotations }) => {
  const typeOf = (context: SecurityContext | PodSecurityContext | undefined) => context?.appArmorProfile?.type;
  const pod = typeOf(spec.securityContext);
  const bad = containersOf(spec).filter(({ securityContext }) => isForbidden(typeOf(securityContext)));
  const types = forbiddenTypes([pod, ...bad.map(({ securityContext }) => typeOf(securityContext))]);
  const forbidden = sortedSet(forbiddenAnnotations(annotations));
  const who = [setters(isForbidden(pod), bad), forbidden.length === 0 ? undefined : counted('annotation', forbidden.length)];
  if (who.every((one) => one === undefined)) return undefined;
  const values = [...types, ...forbidden];
  return {
    reason: counted('forbidden AppArmor profile', values.length),
    detail: `${who.filter((one) => one !== undefined).join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

function isForbidden(type: string | undefined): boolean {
  return type !== undefined && !ALLOWED_TYPES.has(type);
}

function forbiddenTypes(types: readonly (string | undefined)[]): readonly string[] {
  return sortedSet(types.flatMap((type) => (type !== undefined && isForbidden(type) ? [type] : [])));
}

function forbiddenAnnotations(annotations: CheckedPod['annotations']): readonly string[] {
  return Object.entries(annotations).flatMap(([key, value]) => {
    const isAllowed = value === '' || value === 'runtime/default' || value.startsWith('localhost/');
    return key.startsWith(APP_ARMOR_ANNOTATION) && !isAllowed ? [`${key}=${goQuote(value)}`] : [];
  });
}

/** @param types that the version allows; no type at all is always well */
export function seLinuxOptions(...types: readonly string[]): Check {
  const allowed: ReadonlySet<string> = new Set(['', ...types]);
  type Options = { readonly type?: string | undefined; readonly user?: string | undefined; readonly role?: string | undefined };
  const isBad = (options: Options | undefined): options is Options =>
    options !== undefined && (!allowed.has(options.type ?? '') || Boolean(options.user) || Boolean(options.role));
  return ({ spec }) => {
    const pod = spec.securityContext?.seLinuxOptions;
    const bad = containersOf(spec).filter(({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    const who = setters(isBad(pod), bad);
    if (who === undefined) return undefined;
    const options = [pod, ...bad.map(({ securityContext }) => securityContext?.seLinuxOptions)].filter(isBad);
    const badTypes = sortedSet(options.map(({ type = '' }) => type).filter((type) => !allowed.has(type)));
    const data = [
      ...(badTypes.length === 0 ? [] : [`${counted('type', badTypes.length)} ${quoted(badTypes)}`]),
      ...(options.some(({ user }) => Boolean(user)) ? ['user may not be set'] : []),
      ...(options.some(({ role }) => Boolean(role)) ? ['role may not be set'] : []),
    ];
    return { reason: 'seLinuxOptions', detail: `${who} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}` };
  };
}

const SECCOMP_POD_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER_ANNOTATION = 'container.seccomp.security.alpha.kubernetes.io/';

/** Before 1.19 profiles were annotations. */
export const seccompAnnotations: Check = ({ spec, annotations }) => {
  const keys = [SECCOMP_POD_ANNOTATION, ...containersOf(spec).map(({ name }) => `${SECCOMP_CONTAINER_ANNOTATION}${name}`)];
  const forbidden = sortedSet(
    keys.flatMap((key) => {
      const value = annotations[key];
      const isAllowed = value === 'runtime/default' || value === 'docker/default' || value?.startsWith('localhost/') === true;
      return value === undefined || isAllowed ? [] : [`${key}=${goQuote(value)}`];
    }),
  );
  if (forbidden.length === 0) return undefined;
  return { reason: 'seccompProfile', detail: `forbidden ${counted('annotation', forbidden.length)} ${forbidden.join(', ')}` };
};

export const seccompBaseline: Check = ({ spec }) => {
  const pod = spec.securityContext?.seccompProfile?.type;
  const typeOf = ({ securityContext }: CheckedContainer) => securityContext?.seccompProfile?.type;
  const bad = containersOf(spec).filter((container) => isForbidden(typeOf(container)));
  const who = setters(isForbidden(pod), bad);
  const values = forbiddenTypes([pod, ...bad.map(typeOf)]);
  return who === undefined
    ? undefined
    : { reason: 'seccompProfile', detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(values)}` };
};

/** A profile must be set, by the pod or by each of its containers. */
export const seccompRestricted: Check = (pod) => {
  const forbidden = seccompBaseline(pod);
  if (forbidden !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return forbidden;
  const bad = containersOf(pod.spec).filter(({ securityContext }) => securityContext?.seccompProfile === undefined);
  if (bad.length === 0) return undefined;
  const detail = `pod or ${namedContainers(bad)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
};

/** As the check, but for Windows, which knows nothing of it. */
export function exceptWindows(check: Check): Check {
  return (pod): Violation | undefined => (isWindows(pod) ? undefined : check(pod));
}
