/** A version of etcd: `3.6.16`. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The first one that answers /livez and /readyz, which the probes ask. */
const OLDEST = '3.5.11';

/** Without the `v` that users may write. */
export function plainVersion(text: string): string {
  return text.replace(/^v/, '');
}

/** @throws TypeError for a text that is not a version; the schema admits none */
function versionOf(text: string): Version {
  const [, major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? [];
  if (patch === undefined) throw new TypeError(`${JSON.stringify(text)} is not a version of etcd such as 3.6.16`);
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

function compareVersions(one: string, other: string): number {
  const [a, b] = [versionOf(one), versionOf(other)];
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

// #region path
/**
 * Why members of these versions cannot become `target`; undefined if they can.
 *
 * The data of etcd follows the lowest minor version among the members. It is raised when the last of them leaves that version, and etcd reads no data of a
 * later one. A target is therefore one minor version above the lowest at most, and never below it. https://etcd.io/docs/v3.6/upgrades/
 */
export function pathProblem(versions: readonly string[], target: string): string | undefined {
  if (compareVersions(target, OLDEST) < 0) return `${target} is older than ${OLDEST}`;
  const lowest = [...versions].sort(compareVersions)[0];
  if (lowest === undefined) return undefined;
  const [from, to] = [versionOf(lowest), versionOf(target)];
  if (to.major !== from.major) return `${target} has another major version than ${lowest}`;
  if (to.minor < from.minor) return `${target} is a downgrade from ${lowest}, and etcd cannot read newer data`;
  if (to.minor > from.minor + 1) return `${target} skips a minor version: ${from.major}.${from.minor + 1} comes after ${lowest}`;
  return undefined;
}
// #endregion
