import type { AppArmorProfile, PodSpec, SeccompProfile, SecurityContext } from '../../../../../kinds/index.js';
import { duplicate, type FieldError, invalid, notSupported, required } from '../../../../../kubernetes/index.js';
import { descendingPath, type Errors, id, internalValue, oneOfOrNone, requiredText } from '../../checks/index.js';

/**
 * Privileged containers are allowed, as in every cluster and under envtest; a kube-apiserver does that with `--allow-privileged`.
 *
 * Source: kubernetes 1.34 `pkg/apis/core/validation` (`ValidateSecurityContext`, `validatePodSpecSecurityContext`).
 */
export function containerSecurityErrors(context: SecurityContext | undefined, path: string, hostUsers: boolean): Errors {
  if (context === undefined) return [];
  const { privileged, runAsUser, runAsGroup, procMount, seccompProfile, allowPrivilegeEscalation, capabilities, appArmorProfile } = context;
  const errors: FieldError[] = [
    ...id(runAsUser, `${path}.runAsUser`),
    ...id(runAsGroup, `${path}.runAsGroup`),
    ...oneOfOrNone(procMount, ['Default', 'Unmasked'], `${path}.procMount`),
  ];
  if (hostUsers && procMount === 'Unmasked')
    errors.push(invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`'));
  errors.push(...seccompErrors(seccompProfile, `${path}.seccompProfile`));
  if (allowPrivilegeEscalation === false) {
    const printed = (): unknown => internalValue('core/v1.SecurityContext', context);
    if (privileged === true)
      errors.push(invalid(path, printed(), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'));
    if (capabilities?.add?.includes('CAP_SYS_ADMIN') === true) {
      errors.push(invalid(path, printed(), 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN'));
    }
  }
  return [...errors, ...appArmorErrors(appArmorProfile, `${path}.appArmorProfile`)];
}

const SECCOMP_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function seccompErrors(profile: SeccompProfile | undefined, path: string): Errors {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const errors: FieldError[] = [];
  if ((type as string) === '') errors.push(required(`${path}.type`, 'type is required when seccompProfile is set'));
  else if (!SECCOMP_TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, SECCOMP_TYPES));
  const field = `${path}.localhostProfile`;
  if (type === 'Localhost') {
    if (localhostProfile === undefined) errors.push(required(field, 'must be set when seccomp type is Localhost'));
    else errors.push(...descendingPath(localhostProfile, field));
  } else if (localhostProfile !== undefined) {
    errors.push(invalid(field, internalValue('core/v1.SeccompProfile', profile), 'can only be set when seccomp type is Localhost'));
  }
  return errors;
}

function appArmorErrors(profile: AppArmorProfile | undefined, path: string): Errors {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const field = `${path}.localhostProfile`;
  const missing = required(field, 'must be set when AppArmor type is Localhost');
  switch (type as string) {
    case 'Localhost':
      if (localhostProfile === undefined) return [missing];
      if (localhostProfile.trim() !== localhostProfile) return [invalid(field, localhostProfile, 'must not be padded with whitespace')];
      return localhostProfile === '' ? [missing] : [];
    case 'RuntimeDefault':
    case 'Unconfined':
      return localhostProfile === undefined ? [] : [invalid(field, localhostProfile, 'can only be set when AppArmor type is Localhost')];
    case '':
      return [required(`${path}.type`, 'type is required when appArmorProfile is set')];
    default:
      return [notSupported(`${path}.type`, type, SECCOMP_TYPES)];
  }
}

export function podSecurityErrors(
  { securityContext: context, hostPID, shareProcessNamespace, hostNetwork, hostIPC }: PodSpec,
  path: string,
): Errors {
  if (context === undefined) return [];
  const isShared = shareProcessNamespace === true && hostPID === true;
  return [
    ...id(context.fsGroup, `${path}.fsGroup`),
    ...id(context.runAsUser, `${path}.runAsUser`),
    ...id(context.runAsGroup, `${path}.runAsGroup`),
    ...(context.supplementalGroups ?? []).flatMap((group, index) => id(group, `${path}.supplementalGroups[${index}]`)),
    ...(isShared ? [invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled')] : []),
    ...sysctlErrors(context.sysctls ?? [], `${path}.sysctls`, { hostNetwork: hostNetwork === true, hostIPC: hostIPC === true }),
    ...oneOfOrNone(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], `${path}.fsGroupChangePolicy`),
    ...seccompErrors(context.seccompProfile, `${path}.seccompProfile`),
    ...appArmorErrors(context.appArmorProfile, `${path}.appArmorProfile`),
    ...oneOfOrNone(context.supplementalGroupsPolicy, ['Merge', 'Strict'], `${path}.supplementalGroupsPolicy`),
    ...oneOfOrNone(context.seLinuxChangePolicy, ['MountOption', 'Recursive'], `${path}.seLinuxChangePolicy`),
  ];
}

const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const IPC_SYSCTLS = ['kernel.sem', 'kernel.shm', 'kernel.msg', 'fs.mqueue.'];

function sysctlErrors(sysctls: readonly { name: string }[], path: string, host: { hostNetwork: boolean; hostIPC: boolean }): Errors {
  const names = new Set<string>();
  return sysctls.flatMap(({ name }, index) => {
    const field = `${path}[${index}].name`;
    const errors: FieldError[] = [...requiredText(name, field)];
    if (name !== '' && (name.length > 253 || !new RegExp(SYSCTL).test(name))) {
      errors.push(invalid(field, name, `must have at most 253 characters and match regex ${SYSCTL}`));
    } else if (names.has(name)) {
      errors.push(duplicate(field, name));
    }
    const dotted = name.replaceAll('/', '.');
    if (host.hostNetwork && dotted.startsWith('net.')) errors.push(invalid(field, name, "may not be specified when 'hostNetwork' is true"));
    else if (host.hostIPC && IPC_SYSCTLS.some((prefix) => dotted.startsWith(prefix))) {
      errors.push(invalid(field, name, "may not be specified when 'hostIPC' is true"));
    }
    names.add(name);
    return errors;
  });
}
