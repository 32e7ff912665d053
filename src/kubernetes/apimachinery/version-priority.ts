/** `v1` before `v1beta2` before `v1beta1` before `v1alpha1`; other names after them. */
const STAGES: readonly string[] = ['', 'beta', 'alpha'];

interface Rank {
  readonly stage: number;
  readonly major: number;
  readonly minor: number;
}

function rankOf(version: string): Rank | undefined {
  const [, major, stage = '', minor = '0'] = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version) ?? [];
  return major === undefined ? undefined : { stage: STAGES.indexOf(stage), major: Number(major), minor: Number(minor) };
}

/**
 * Orders versions as discovery does, the preferred one first.
 *
 * Source: apimachinery, `pkg/version/helpers.go` (`CompareKubeAwareVersionStrings`).
 */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rankOf(left), rankOf(right)];
  if (a === undefined || b === undefined) return a === b ? compareText(left, right) : a === undefined ? 1 : -1;
  return a.stage - b.stage || b.major - a.major || b.minor - a.minor;
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
