import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';

/** Names a moment of a run: the n-th time that something happens. The same moment of another run has the same name. */
export interface Mark {
  readonly on: 'write' | 'change' | 'call';
  /** `apply configmaps/a`, `ConfigMap a`, `cloud.create`. */
  readonly what: string;
  /** From 1. */
  readonly nth: number;
}

export interface Change extends Mark {
  readonly on: 'change';
  readonly did: 'made' | 'changed' | 'deleted';
  /** Number of the story's step that was played last, from 0. */
  readonly step: number;
}

/** A life of an object, from its creation on. */
export interface Life {
  readonly what: string;
  readonly kind: string;
  /** `pods`. */
  readonly resource: string;
  readonly by: 'operator' | 'user' | 'other';
  /**
   * Made by a process that read an old state, or for an owner that was gone: a process that looks again lets it go. Or given by such a process to an owner that
   * is gone, in place of the one that has its name now. Or deleted by such a process with the object's uid: caches of two kinds are never at one moment, and
   * the process has named the object that it saw.
   */
  isExcused: boolean;
  /** Its name comes from what made it, and is the same in every run. */
  readonly isNamed: boolean;
  /** Uids of its owners. */
  readonly owners: readonly string[];
  hasEnded: boolean;
}

export interface OperatorWrite extends Mark {
  readonly on: 'write';
  readonly status: number;
}

/** How methods of externals answer, by their names: `cloud.get`. */
export interface Manners<TSet extends ReadonlySet<string> = ReadonlySet<string>> {
  /** They have answered with nothing. */
  readonly absences: TSet;
  /** They have answered without a promise: they fail by throwing, and their callers await nothing. */
  readonly direct: TSet;
}

/** Events of one run, in their order. */
export class History {
  readonly changes: Change[] = [];
  readonly writes: OperatorWrite[] = [];
  readonly calls: Mark[] = [];
  /** By uid. */
  readonly lives: Map<string, Life> = new Map();
  readonly manners: Manners<Set<string>> = { absences: new Set(), direct: new Set() };
  readonly #counts = new Map<string, number>();
  /** Marks in their order, by their text. */
  readonly #order = new Map<string, number>();

  mark<TOn extends Mark['on']>(on: TOn, what: string): Mark & { readonly on: TOn } {
    const key = `${on} ${what}`;
    const nth = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, nth);
    this.#order.set(textOf({ on, what, nth }), this.#order.size);
    return { on, what, nth };
  }

  /** Whether a moment of this run comes after another one. */
  isAfter(mark: Mark, other: Mark): boolean {
    return (this.#order.get(textOf(mark)) ?? -1) > (this.#order.get(textOf(other)) ?? Number.POSITIVE_INFINITY);
  }

  /** Excuses a life, and what the platform has made for it. */
  excuse(uid: string): void {
    const life = this.lives.get(uid);
    if (life === undefined || life.isExcused) return;
    life.isExcused = true;
    for (const [other, { by, owners }] of this.lives) if (by === 'other' && owners.includes(uid)) this.excuse(other);
  }

  /** How often each object was made, by its name. */
  get made(): Map<string, number> {
    return counted(this.lives, ({ by, isExcused }) => by === 'operator' && !isExcused);
  }

  /** Counts the deletions of each object of some resources, excused ones too. */
  lost(resources: readonly string[]): Map<string, number> {
    return counted(this.lives, ({ resource, hasEnded }) => hasEnded && resources.includes(resource));
  }

  /** How often each object of the operator or of the user was deleted, by its name. */
  get deleted(): Map<string, number> {
    return counted(this.lives, ({ by, isExcused, hasEnded, isNamed }) => (by !== 'other' || isNamed) && !isExcused && hasEnded);
  }
}

function counted(lives: ReadonlyMap<string, Life>, isMeant: (life: Life) => boolean): Map<string, number> {
  const counts = new Map<string, number>();
  for (const life of lives.values()) if (isMeant(life)) counts.set(life.what, (counts.get(life.what) ?? 0) + 1);
  return counts;
}

function textOf({ on, what, nth }: Mark): string {
  return `${on} ${what} ${nth}`;
}

export function isSame(mark: Mark, other: Mark): boolean {
  return mark.on === other.on && mark.what === other.what && mark.nth === other.nth;
}

/** Drawn by a server: other in every run. */
export const UUID: RegExp = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;

/** The namespace of a run has another name each time; those that the story names do not. */
const OF_RUN = /^(?:run|fresh)-\d+$/;

/** Empty for the namespace of the run and for cluster-scoped objects, else `team-b/`. */
export function prefixOf(namespace = ''): string {
  return namespace === '' || OF_RUN.test(namespace) ? '' : `${namespace}/`;
}

/** `PersistentVolumeClaim data-a`, `Pod team-b/a`; of a generated name what it begins with. */
export function nameOf({ kind, metadata: { name = '', namespace, generateName } }: KubernetesObject): string {
  const isGenerated = generateName !== undefined && name.startsWith(generateName);
  return `${kind} ${prefixOf(namespace)}${isGenerated ? `${generateName}*` : name.replace(UUID, '*')}`;
}

const TIMES = ['', 'the first', 'the second', 'the third'];

/** A moment in words: `the second write "apply configmaps/a"`. */
export function wordsOf({ on, what, nth }: Mark): string {
  const which = TIMES[nth] ?? `the ${nth}th`;
  if (on === 'write') return `${which} "${what}"`;
  if (on === 'call') return `${which} call of ${what}`;
  return `${which} change of ${what}`;
}
