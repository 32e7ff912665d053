import type { Check, CheckedPod, Violation } from './checked-pod.js';
import {
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbesAndHostLifecycle,
  restrictedVolumes,
  windowsHostProcess,
} from './host-checks.js';
import { type LevelVersion, minorOf } from './policy.js';
import {
  allowPrivilegeEscalation,
  capabilitiesBaseline,
  capabilitiesRestricted,
  exceptUserNamespaces,
  privileged,
  procMount,
  runAsNonRoot,
  runAsUser,
  sysctls,
} from './privilege-checks.js';
import {
  appArmorProfile,
  exceptWindows,
  seccompAnnotations,
  seccompBaseline,
  seccompRestricted,
  seLinuxOptions,
} from './profile-checks.js';

/** A rule of the standards through the versions. */
interface Rule {
  /** From which minor version on which check holds, ascending. */
  readonly since: readonly (readonly [minor: number, check: Check])[];
  /** For a baseline rule: the minor version from which on a restricted one says more. */
  readonly supersededAt?: number;
}

const SYSCTLS_1_0 = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_1_27 = [...SYSCTLS_1_0, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_1_29 = [
  ...SYSCTLS_1_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SYSCTLS_1_32 = [...SYSCTLS_1_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];
const SYSCTLS_1_37 = [...SYSCTLS_1_32, 'net.ipv4.tcp_slow_start_after_idle', 'net.ipv4.tcp_notsent_lowat'];
const SELINUX_1_0 = ['container_t', 'container_init_t', 'container_kvm_t'];

/** The order in which messages name violations: by the names that the rules have upstream, baseline before restricted. */
const BASELINE: readonly Rule[] = [
  { since: [[0, appArmorProfile]] },
  { since: [[0, capabilitiesBaseline]], supersededAt: 22 },
  { since: [[0, hostNamespaces]] },
  { since: [[0, hostPathVolumes]], supersededAt: 0 },
  { since: [[0, hostPorts]] },
  { since: [[34, hostProbesAndHostLifecycle]] },
  { since: [[0, privileged]] },
  {
    since: [
      [0, procMount],
      [35, exceptUserNamespaces(procMount)],
    ],
    supersededAt: 35,
  },
  {
    since: [
      [0, seLinuxOptions(...SELINUX_1_0)],
      [31, seLinuxOptions(...SELINUX_1_0, 'container_engine_t')],
    ],
  },
  {
    since: [
      [0, seccompAnnotations],
      [19, seccompBaseline],
    ],
    supersededAt: 19,
  },
  {
    since: [
      [0, sysctls(...SYSCTLS_1_0)],
      [27, sysctls(...SYSCTLS_1_27)],
      [29, sysctls(...SYSCTLS_1_29)],
      [32, sysctls(...SYSCTLS_1_32)],
      [37, sysctls(...SYSCTLS_1_37)],
    ],
  },
  { since: [[0, windowsHostProcess]] },
];

const RESTRICTED: readonly Rule[] = [
  {
    since: [
      [8, allowPrivilegeEscalation],
      [25, exceptWindows(allowPrivilegeEscalation)],
    ],
  },
  {
    since: [
      [22, capabilitiesRestricted],
      [25, exceptWindows(capabilitiesRestricted)],
    ],
  },
  { since: [[35, procMount]] },
  { since: [[0, restrictedVolumes]] },
  {
    since: [
      [0, runAsNonRoot],
      [35, exceptUserNamespaces(runAsNonRoot)],
    ],
  },
  {
    since: [
      [23, runAsUser],
      [35, exceptUserNamespaces(runAsUser)],
    ],
  },
  {
    since: [
      [19, seccompRestricted],
      [25, exceptWindows(seccompRestricted)],
    ],
  },
];

/** How a pod violates a level; empty: it does not. Source: pod-security-admission `policy/registry.go`. */
export function violationsOf(pod: CheckedPod, { level, version }: LevelVersion): readonly Violation[] {
  if (level === 'privileged') return [];
  const minor = minorOf(version);
  const rules =
    level === 'baseline'
      ? BASELINE
      : [...BASELINE.filter(({ supersededAt }) => supersededAt === undefined || minor < supersededAt), ...RESTRICTED];
  return rules.flatMap(({ since }) => since.findLast(([first]) => first <= minor)?.[1](pod) ?? []);
}

/** Reasons alone, as a namespace is warned of its pods. */
export function reasonsText(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ');
}

export function detailsText(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
