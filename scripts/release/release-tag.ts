/** A tag, and the tree that it must agree with. */
export interface Tagged {
  readonly tag: string;
  /** The version in package.json. */
  readonly version: string;
  /** Files of changesets that no version has taken. */
  readonly changesets: readonly string[];
}

/** Why a tag cannot be released; `undefined` if it can. */
export function tagProblem({ tag, version, changesets }: Tagged): string | undefined {
  if (tag !== `v${version}`) return `the tag is ${tag}, and package.json has version ${version}: the tag must be v${version}`;
  if (changesets.length === 0) return undefined;
  return `${changesets.join(', ')}: not released yet; run npm run release, commit what it writes, and tag that commit`;
}
