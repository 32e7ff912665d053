import type { Answer } from './exchange.js';

const COMPARED_HEADERS = [
  'content-type',
  'cache-control',
  'vary',
  'retry-after',
  'allow',
  'x-content-type-options',
  'location',
  'www-authenticate',
];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Revisions that messages tell. */
const REVISION = /(?<=in record \(|current: |resource version: \d+ \()\d+/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Replaces what two servers cannot agree on, so that what is equal stays equal: the first uid that a script meets is `uid-1` on both. */
export class Mask {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();

  /** What two answers are compared by: lines. */
  linesOf(answer: Answer): string[] {
    const headers = COMPARED_HEADERS.flatMap((name) =>
      answer.headers[name] === undefined ? [] : [`${name}: ${String(answer.headers[name])}`],
    );
    const warnings = answer.warnings.map((warning) => `warning: ${this.#texts(warning)}`);
    return [`status: ${answer.status}`, ...headers, ...warnings, ...this.#body(answer)];
  }

  #body({ text, headers }: Answer): string[] {
    const isJson = String(headers['content-type'] ?? '').startsWith('application/json');
    if (!isJson) return this.#texts(text).split('\n');
    // A watch is a line for each event; a pretty answer is one document over many lines.
    const documents = text.startsWith('{\n') ? [text] : text.split('\n');
    return documents.flatMap((document) => (document === '' ? [] : this.#json(document)));
  }

  /** The order of fields counts. */
  #json(document: string): string[] {
    try {
      return JSON.stringify(this.#value(JSON.parse(document), ''), null, 1).split('\n');
    } catch {
      return [this.#texts(document)];
    }
  }

  #value(value: unknown, field: string): unknown {
    if (typeof value === 'string') return this.#field(value, field);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.#texts(key), this.#value(item, key)]));
  }

  #field(value: string, field: string): string {
    if (field === 'resourceVersion' && /^\d+$/.test(value) && value !== '0') return named(this.#versions, value, 'version');
    if (field === 'continue' && value !== '') return '<token>';
    if (field === 'name' || field === 'namespace') return this.#texts(value).replace(/^(generated-)[a-z0-9]{5}$/, '$1<suffix>');
    return this.#texts(value);
  }

  #texts(text: string): string {
    return text
      .replace(UUID, (uid) => named(this.#uids, uid, 'uid'))
      .replace(TIME, '<time>')
      .replace(REVISION, '<revision>');
  }
}

function named(names: Map<string, string>, value: string, what: string): string {
  const name = names.get(value) ?? `<${what} ${names.size + 1}>`;
  names.set(value, name);
  return name;
}
