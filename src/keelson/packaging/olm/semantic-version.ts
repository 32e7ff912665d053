/** Semantic versions, as far as OLM reads them: versions of bundles, and ranges of `olm.skipRange`. Source: semver.org 2.0.0, and blang/semver for ranges. */
export interface SemanticVersion {
  readonly numbers: readonly [major: number, minor: number, patch: number];
  /** Identifiers behind the dash; empty for a release. */
  readonly preRelease: readonly string[];
}

const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/** `undefined` if the text is not a version. */
export function semanticVersionOf(text: unknown): SemanticVersion | undefined {
  const [, major, minor, patch, preRelease] = (typeof text === 'string' ? VERSION.exec(text) : undefined) ?? [];
  if (major === undefined) return undefined;
  return { numbers: [Number(major), Number(minor), Number(patch)], preRelease: preRelease?.split('.') ?? [] };
}

/** Negative if `left` is older. */
export function compareSemanticVersions(left: SemanticVersion, right: SemanticVersion): number {
  const difference = left.numbers.map((number, index) => number - (right.numbers[index] ?? 0)).find((each) => each !== 0);
  if (difference !== undefined) return difference;
  if (left.preRelease.length === 0 || right.preRelease.length === 0) return right.preRelease.length - left.preRelease.length;
  const length = Math.max(left.preRelease.length, right.preRelease.length);
  for (let index = 0; index < length; index += 1) {
    const order = compareIdentifiers(left.preRelease[index], right.preRelease[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareIdentifiers(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? -1 : 1;
  const [isLeftNumber, isRightNumber] = [/^\d+$/.test(left), /^\d+$/.test(right)];
  if (isLeftNumber && isRightNumber) return Number(left) - Number(right);
  if (isLeftNumber !== isRightNumber) return isLeftNumber ? -1 : 1;
  return left < right ? -1 : Number(left > right);
}

const COMPARISON = /^(>=|<=|!=|==|=|!|>|<)?\s*(\S+)$/;

/** Whether a text is a range such as `>=1.0.0 <1.2.0 || 2.0.0`. */
export function isVersionRange(text: string): boolean {
  return text.split('||').every((part) => {
    const comparisons = part
      .trim()
      .replace(/([<>=!])\s+/g, '$1')
      .split(/\s+/);
    return comparisons.every((comparison) => {
      const version = COMPARISON.exec(comparison)?.[2];
      return (
        version !== undefined && semanticVersionOf(version.replace(/(\.[xX*])+$/, (rest) => '.0'.repeat(rest.length / 2))) !== undefined
      );
    });
  });
}
