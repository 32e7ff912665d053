import type { KubernetesObject } from '@keelson/kubernetes/apimachinery';

export interface MaskOptions {
  /** More that is masked, as paths from the object: `spec.password`, `data.*`; `*` is any field or index. */
  readonly mask?: readonly string[];
  /** Whether times are masked. Default true: a FakeClock makes them the same in each run. */
  readonly maskTimes?: boolean;
}

/** Fields of the metadata that are the server's own, and other in each run. */
const LEFT_OUT = new Set(['creationTimestamp', 'managedFields', 'resourceVersion', 'selfLink', 'uid']);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
/** Values that a server draws by itself, by the last two parts of their path. */
const DRAWN: Readonly<Record<string, string>> = {
  'spec.clusterIP': '<ip>',
  'clusterIPs.*': '<ip>',
  '*.nodePort': '<port>',
  'spec.healthCheckNodePort': '<port>',
  '*.caBundle': '<certificate>',
};

/**
 * Objects without what is other in each run: uids and generated names become numbers that say which is which, times `<time>`.
 *
 * @returns in an order that does not depend on what was masked
 */
export function masked(objects: readonly KubernetesObject[], options: MaskOptions = {}): readonly KubernetesObject[] {
  const names = generatedNames(objects);
  const blank = new Masking(new Map([...names].map(([name, prefix]) => [name, `${prefix}<generated>`])), options);
  // Numbers follow the order of the objects' content: the order in which the server drew the names is random.
  const sorted = objects
    .map((object) => ({ object, text: JSON.stringify(blank.object(object)) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  const numbered = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { object } of sorted) {
    const prefix = names.get(object.metadata.name ?? '');
    if (prefix === undefined || numbered.has(object.metadata.name ?? '')) continue;
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    numbered.set(object.metadata.name ?? '', `${prefix}<${count}>`);
  }
  const final = new Masking(numbered, options);
  return sorted.map(({ object }) => final.object(object));
}

/** Names that the server has drawn, with what they begin with. */
function generatedNames(objects: readonly KubernetesObject[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { metadata } of objects) {
    const { name = '', generateName } = metadata;
    if (generateName !== undefined && generateName !== '' && name.startsWith(generateName)) names.set(name, generateName);
  }
  return names;
}

class Masking {
  readonly #names: ReadonlyMap<string, string>;
  readonly #paths: readonly (readonly string[])[];
  readonly #masksTimes: boolean;

  constructor(names: ReadonlyMap<string, string>, { mask = [], maskTimes = true }: MaskOptions) {
    this.#names = names;
    this.#paths = mask.map((path) => path.split('.'));
    this.#masksTimes = maskTimes;
  }

  object(object: KubernetesObject): KubernetesObject {
    const { apiVersion, kind, metadata, ...rest } = object as KubernetesObject & Record<string, unknown>;
    const fields = Object.entries(this.#sorted(metadata)).filter(([name, value]) => !LEFT_OUT.has(name) && value !== undefined);
    const shown = Object.fromEntries(fields.map(([name, value]) => [name, this.#value(value, ['metadata', name])]));
    return { apiVersion, kind, metadata: shown, ...(this.#value(rest, []) as object) };
  }

  #value(value: unknown, path: readonly string[]): unknown {
    const drawn = this.#drawn(value, path);
    if (drawn !== undefined) return drawn;
    if (Array.isArray(value)) return value.map((element, index) => this.#value(element, [...path, String(index)]));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(this.#sorted(value)).map(([name, field]) => [name, this.#value(field, [...path, name])]));
    return typeof value === 'string' ? this.#text(value) : value;
  }

  #drawn(value: unknown, path: readonly string[]): string | undefined {
    if (this.#paths.some((pattern) => fits(pattern, path))) return '<masked>';
    if (path.at(-1) === 'uid' && typeof value === 'string') return '<uid>';
    // `None` of a headless Service is the author's.
    if (typeof value === 'object' || value === 'None' || value === '') return undefined;
    return Object.entries(DRAWN).find(([pattern]) => fits(pattern.split('.'), path.slice(-2)))?.[1];
  }

  #text(text: string): string {
    if (this.#masksTimes && TIME.test(text)) return '<time>';
    return this.#names.get(text) ?? text;
  }

  /** Servers differ in the order of fields. */
  #sorted(fields: object): Record<string, unknown> {
    return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

function fits(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length === path.length && pattern.every((part, index) => part === '*' || part === path[index]);
}
