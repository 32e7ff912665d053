/** A semantic version 2.0.0. */
export interface Semver {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly (bigint | string)[];
  /** Build metadata does not count. */
  readonly equalityKey: string;
}

/** Reads a version; with `normalize` a leading `v`, missing parts and leading zeros are forgiven. A string result is the problem. */
export function parseSemver(text: string, normalize: boolean): Semver | string {
  const source = normalize ? normalized(text) : text;
  if (source === undefined) return 'short version cannot contain PreRelease/Build meta data';
  if (source === '') return 'Version string empty';
  const parts = source.split('.');
  if (parts.length < 3) return 'No Major.Minor.Patch elements found';
  const [, core = '', pre, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(source) ?? [];
  const numbers: bigint[] = [];
  const [first = '', second = '', ...third] = core.split('.');
  for (const [index, part] of [first, second, third.join('.')].entries()) {
    const name = ['Major', 'Minor', 'Patch'][index] ?? 'Patch';
    if (!/^[0-9]+$/.test(part)) return `Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(part)}`;
    if (part.length > 1 && part.startsWith('0')) return `${name} number must not contain leading zeroes ${JSON.stringify(part)}`;
    numbers.push(BigInt(part));
  }
  const prerelease = pre === undefined ? [] : identifiers(pre);
  if (typeof prerelease === 'string') return prerelease;
  if (build?.split('.').some((part) => !/^[0-9A-Za-z-]+$/.test(part))) return 'Build meta data is empty';
  const [major = 0n, minor = 0n, patch = 0n] = numbers;
  return { numbers: [major, minor, patch], prerelease, equalityKey: `${numbers.join('.')}-${prerelease.join('.')}` };
}

function identifiers(text: string): (bigint | string)[] | string {
  const result: (bigint | string)[] = [];
  for (const part of text.split('.')) {
    if (part === '') return 'Prerelease is empty';
    if (!/^[0-9A-Za-z-]+$/.test(part)) return `Invalid character(s) found in prerelease ${JSON.stringify(part)}`;
    if (/^0[0-9]+$/.test(part)) return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`;
    result.push(/^[0-9]+$/.test(part) ? BigInt(part) : part);
  }
  return result;
}

function normalized(text: string): string | undefined {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])];
  const trimmed = parts.map((part) => part.replace(/^0+(?=[0-9])/, ''));
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? '')) return undefined;
  while (trimmed.length < 3) trimmed.push('0');
  return trimmed.join('.');
}

/** Negative, 0 or positive by the rules of semver.org. */
export function compareSemver(a: Semver, b: Semver): -1 | 0 | 1 {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  if (a.prerelease.length === 0 || b.prerelease.length === 0) return sign(b.prerelease.length - a.prerelease.length);
  for (let index = 0; index < Math.min(a.prerelease.length, b.prerelease.length); index++) {
    const order = compareIdentifiers(a.prerelease[index] ?? '', b.prerelease[index] ?? '');
    if (order !== 0) return order;
  }
  return sign(a.prerelease.length - b.prerelease.length);
}

function sign(value: number): -1 | 0 | 1 {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

/** Numbers come before words. */
function compareIdentifiers(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (a === b) return 0;
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1 : 1;
  return a < b ? -1 : 1;
}
