import { kindNames } from './kind-names.js';
import { isUsedName } from './name-problems.js';

/** A kind of the API, for which the code needs a name. */
export interface NamedKind {
  readonly kind: string;
  readonly group: string;
}

/**
 * The names of kinds in the code of one project, in the same order: the kind itself, in Pascal case, unless the generated code uses the name for something else (`Object` becomes
 * `ObjectResource`) or a kind of another group has it (`NetworkingGateway`).
 */
export function localNames(kinds: readonly NamedKind[]): readonly string[] {
  const files = new Set<string>();
  const isFree = (name: string): boolean => !isUsedName(name) && !files.has(kindNames(name).file);
  const claim = (candidates: Iterable<string>): string => {
    for (const name of candidates) {
      if (!isFree(name)) continue;
      files.add(kindNames(name).file);
      return name;
    }
    throw new TypeError('unreachable: the candidates do not end');
  };
  // A kind that can keep its name keeps it, wherever it stands.
  const own = kinds.map(({ kind }) => (isFree(pascal(kind)) ? claim([pascal(kind)]) : undefined));
  return kinds.map((named, index) => own[index] ?? claim(candidatesOf(named)));
}

function* candidatesOf({ kind, group }: NamedKind): Iterable<string> {
  const name = pascal(kind);
  if (isUsedName(name)) yield `${name}Resource`;
  const ofGroup = `${pascal(group.split('.')[0] ?? '')}${name}`;
  yield ofGroup;
  for (let count = 2; ; count += 1) yield `${ofGroup}${count}`;
}

const pascal = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join('');
