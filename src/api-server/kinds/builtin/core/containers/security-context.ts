import { duplicate, type FieldError, invalid, required } from '@keelson/kubernetes/apimachinery';
import {
  all,
  descendingPath,
  type Errors,
  each,
  id,
  internalValue,
  needed,
  neededThen,
  oneOf,
  type Rule,
  refuse,
  shape,
  those,
} from '../../checks/index.js';
import type { AppArmorProfile, PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from '../../drafts.js';

/**
 * Privileged containers are allowed, as in every cluster and under envtest; a kube-apiserver does that with `--allow-privileged`.
 *
 * Source: kubernetes `pkg/apis/core/validation` (`ValidateSecurityContext`, `validatePodSpecSecurityContext`).
 */
export function containerSecurityErrors(context: SecurityContext | undefined, path: string, hostUsers: boolean): Errors {
  const unmasked = refuse<string>((mount) => hostUsers && mount === 'Unmasked', '`hostUsers` must be false to use `Unmasked`');
  return all<SecurityContext>(
    shape<SecurityContext>({
      runAsUser: id,
      runAsGroup: id,
      procMount: all(oneOf(['Default', 'Unmasked']), unmasked),
      seccompProfile: seccompErrors,
    }),
    escalationErrors,
    shape<SecurityContext>({ appArmorProfile: appArmorErrors }),
  )(context, path);
}

const escalationErrors: Rule<SecurityContext> = (context, path) => {
  if (context?.allowPrivilegeEscalation !== false) return [];
  const against = (what: string): FieldError =>
    invalid(path, internalValue('core/v1.SecurityContext', context), `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
  return [
    ...(context.privileged === true ? [against('`privileged` to true')] : []),
    ...(context.capabilities?.add?.includes('CAP_SYS_ADMIN') === true ? [against('`capabilities.Add` CAP_SYS_ADMIN')] : []),
  ];
};

const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];

const seccompErrors: Rule<SeccompProfile> = (profile, path) => {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const field = `${path}.localhostProfile`;
  const misplaced = (): Errors => [
    invalid(field, internalValue('core/v1.SeccompProfile', profile), 'can only be set when seccomp type is Localhost'),
  ];
  return those(
    neededThen(oneOf(PROFILE_TYPES), 'type is required when seccompProfile is set')(type, `${path}.type`),
    type === 'Localhost' && localhostProfile === undefined && required(field, 'must be set when seccomp type is Localhost'),
    type === 'Localhost' ? descendingPath(localhostProfile, field) : localhostProfile === undefined ? [] : misplaced(),
  );
};

const appArmorErrors: Rule<AppArmorProfile> = (profile, path) => {
  if (profile === undefined) return [];
  const { type, localhostProfile } = profile;
  const field = `${path}.localhostProfile`;
  if (!PROFILE_TYPES.includes(type)) {
    return neededThen(oneOf(PROFILE_TYPES), 'type is required when appArmorProfile is set')(type, `${path}.type`);
  }
  if (type !== 'Localhost') return refuse<string>(() => true, 'can only be set when AppArmor type is Localhost')(localhostProfile, field);
  const padded = refuse<string>((name) => name.trim() !== name, 'must not be padded with whitespace');
  return neededThen(padded, 'must be set when AppArmor type is Localhost')(localhostProfile, field);
};

export function podSecurityErrors({ securityContext, hostNetwork, hostIPC }: PodSpec, path: string): Errors {
  return all<PodSecurityContext>(
    shape<PodSecurityContext>({
      ...{ fsGroup: id, runAsUser: id, runAsGroup: id, supplementalGroups: each(id) },
      sysctls: (sysctls = [], at) => sysctlErrors(sysctls, at, { hostNetwork: hostNetwork === true, hostIPC: hostIPC === true }),
      fsGroupChangePolicy: oneOf(['Always', 'OnRootMismatch']),
      seccompProfile: seccompErrors,
      appArmorProfile: appArmorErrors,
      supplementalGroupsPolicy: oneOf(['Merge', 'Strict']),
      seLinuxChangePolicy: oneOf(['MountOption', 'Recursive']),
    }),
  )(securityContext, path);
}

const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const IPC_SYSCTLS = ['kernel.sem', 'kernel.shm', 'kernel.msg', 'fs.mqueue.'];

function sysctlErrors(sysctls: readonly { name: string }[], path: string, host: { hostNetwork: boolean; hostIPC: boolean }): Errors {
  const names = new Set<string>();
  return sysctls.flatMap(({ name }, index) => {
    const field = `${path}[${index}].name`;
    const errors: FieldError[] = [...needed()(name, field)];
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
