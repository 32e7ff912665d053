import { equalJson, isRecord } from '@keelson/kubernetes/apimachinery';
import { HIDDEN, isSecretArgument, isSecretEntry, isSecretName, withoutCredentials } from '../masking/index.js';

/** Most lines of one write, and most characters of one value: a record is for people, and there are thousands of them. */
const LIMITS = { lines: 20, characters: 120, depth: 30 } as const;

/** A field in which two states differ. A side that is absent lacks the field. Values are texts, with credentials masked. */
export interface FieldChange {
  readonly path: string;
  readonly before?: string;
  readonly after?: string;
}

/** The server's own, which differ with every write, and the runtime's mark of what it applied. */
const UNTOLD: readonly string[] = ['managedFields', 'resourceVersion', 'generation', 'uid', 'creationTimestamp', 'selfLink'];
const IDENTITY: readonly string[] = ['apiVersion', 'kind'];
const PLACE: readonly string[] = ['name', 'namespace'];
const MARK = 'keelson.dev/applied';

type Side = { readonly value: unknown } | undefined;

/**
 * The fields in which an object differs from its state before.
 *
 * Elements of lists are paired by `name` or `type` where all have one. Credentials are masked: all data of a Secret, fields and variables with the name of a
 * credential, and texts that look like one.
 */
export function fieldChangesOf(kind: string, before: object | undefined, after: object): readonly FieldChange[] {
  const walk = new Walk(kind === 'Secret');
  walk.compare('', before === undefined ? undefined : { value: before }, { value: after }, { depth: 0, isSecret: false });
  return walk.changes;
}

/** {@link fieldChangesOf} in lines, the first 20: `spec.replicas: 2 → 3`, `+ data.color: "blue"`, `- spec.paused: true`. */
export function differencesOf(kind: string, before: object | undefined, after: object): readonly string[] {
  const changes = fieldChangesOf(kind, before, after);
  const lines = changes.slice(0, LIMITS.lines).map(fieldChangeText);
  return changes.length > lines.length ? [...lines, `… ${changes.length - lines.length} more`] : lines;
}

export function fieldChangeText({ path, before, after }: FieldChange): string {
  if (before === undefined) return `+ ${path}: ${after}`;
  return after === undefined ? `- ${path}: ${before}` : `${path}: ${before} → ${after}`;
}

interface Place {
  readonly depth: number;
  /** Every value here is a credential. */
  readonly isSecret: boolean;
}

class Walk {
  readonly #isOfSecret: boolean;
  readonly changes: FieldChange[] = [];

  constructor(isOfSecret: boolean) {
    this.#isOfSecret = isOfSecret;
  }

  compare(path: string, before: Side, after: Side, { depth, isSecret }: Place): void {
    // A field may be there without a value, as options of a deletion are.
    if (before === undefined && after === undefined) return;
    if (before !== undefined && after !== undefined && equalJson(before.value, after.value)) return;
    const values = [before, after].flatMap((side) => (side === undefined ? [] : [side.value]));
    const place = { depth: depth + 1, isSecret };
    if (depth < LIMITS.depth && values.every(isRecord) && values.some((value) => Object.keys(value as object).length > 0)) {
      this.#records(path, values as Readonly<Record<string, unknown>>[], { before, after }, place);
      return;
    }
    if (depth < LIMITS.depth && values.every(Array.isArray) && values.some((value) => (value as unknown[]).length > 0)) {
      this.#lists(path, before, after, place);
      return;
    }
    this.#say(path, before, after, isSecret);
  }

  #records(
    path: string,
    values: readonly Readonly<Record<string, unknown>>[],
    { before, after }: { readonly before: Side; readonly after: Side },
    { depth, isSecret }: Place,
  ): void {
    const isNamedSecret = values.some(isSecretEntry);
    for (const key of new Set(values.flatMap((value) => Object.keys(value)))) {
      if (path === 'metadata' && UNTOLD.includes(key)) continue;
      // The name of the write says who it is.
      if (before === undefined && ((path === '' && IDENTITY.includes(key)) || (path === 'metadata' && PLACE.includes(key)))) continue;
      if (path === 'metadata.annotations' && key === MARK) continue;
      const at = path === '' ? key : `${path}.${key}`;
      const hides = isSecret || isSecretName(key) || (isNamedSecret && key === 'value') || (this.#isOfSecret && isDataOfSecret(at));
      this.compare(at, member(before, key), member(after, key), { depth, isSecret: hides });
    }
  }

  #lists(path: string, before: Side, after: Side, place: Place): void {
    const [old, young] = [itemsOf(before), itemsOf(after)];
    const identity = (['name', 'type'] as const).find((key) => [old, young].every((items) => isIdentifiedBy(items, key)));
    const keyed = (items: readonly unknown[]): Map<string, unknown> =>
      new Map(
        items.map((item, index) => [identity === undefined ? String(index) : String((item as Record<string, unknown>)[identity]), item]),
      );
    const [was, is] = [keyed(old), keyed(young)];
    for (const key of new Set([...was.keys(), ...is.keys()])) {
      const side = (items: Map<string, unknown>): Side => (items.has(key) ? { value: items.get(key) } : undefined);
      const isBehindFlag = identity === undefined && [old, young].some((items) => isSecretArgument(items, Number(key)));
      this.compare(`${path}[${key}]`, side(was), side(is), { ...place, isSecret: place.isSecret || isBehindFlag });
    }
  }

  #say(path: string, before: Side, after: Side, isSecret: boolean): void {
    const text = (side: Side): string | undefined => (side === undefined ? undefined : isSecret ? HIDDEN : textOf(side.value));
    const [old, young] = [text(before), text(after)];
    this.changes.push({ path, ...(old === undefined ? {} : { before: old }), ...(young === undefined ? {} : { after: young }) });
  }
}

/** Annotations too: kubectl keeps the whole Secret in one. */
function isDataOfSecret(path: string): boolean {
  return /^(?:data|stringData|metadata\.annotations)\./.test(path);
}

function member(side: Side, key: string): Side {
  const record = side?.value as Readonly<Record<string, unknown>> | undefined;
  return record !== undefined && Object.hasOwn(record, key) && record[key] !== undefined ? { value: record[key] } : undefined;
}

function itemsOf(side: Side): readonly unknown[] {
  return side === undefined ? [] : (side.value as readonly unknown[]);
}

function isIdentifiedBy(items: readonly unknown[], key: 'name' | 'type'): boolean {
  const names = items.map((item) => (isRecord(item) ? item[key] : undefined));
  return names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
}

function textOf(value: unknown): string {
  // A field in it may hold a credential, and its name is not looked at here.
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]';
  if (isRecord(value)) return Object.keys(value).length === 0 ? '{}' : '{…}';
  // Cut before it is masked, as long texts cost; what a cut leaves of a credential is masked still.
  const whole = JSON.stringify(value) ?? 'undefined';
  const text = withoutCredentials(whole.slice(0, 4 * LIMITS.characters), whole);
  return text.length > LIMITS.characters ? `${text.slice(0, LIMITS.characters)}…` : text;
}
