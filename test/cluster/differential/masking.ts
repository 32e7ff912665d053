import { parse } from 'yaml';
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
const REVISION = /(?<=in record \(|in the precondition \(|current: |resource version: \d+ \(|resourceVersion\\?":\\?")\d+/g;
/** A cell of a table. */
const AGE = /^(?:\d+[smhd])+$/;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Where Go has made the table of kinds: an artefact of how the server was built. */
const SCHEME = /in scheme \\?"[^"]*"/g;
/** Tier B (docs/api-server.md): the diff of Go's internal types behind a refused change. */
const DIFF = /\n@@ [^\n]*(?:\n[ +@-][^\n]*)*\n?/g;
/** Tier B: the path of a field whose value is of another type, as Go's decoder writes it. */
export const DECODED_FIELD = /(?<=Go struct field )\S+(?= of type)/g;
const ADDRESS = /127\.0\.0\.1:\d+/g;
/** Both servers draw addresses and node ports of Services by chance. */
const CLUSTER_ADDRESS = /\b10\.0\.\d+\.\d+\b/g;
/** Of an object that a message shows: their order is one of seconds. */
const ENTRIES_IN_TEXT = /(\\"managedFields\\":\[)\{.*?\}(?=\](?:,\\"|\}))/g;
const PORT_IN_TEXT = /(?<=duplicate nodePort: \{\w+ )\d{5}|(?<=ode(?:Check)?(?:Node)?Port\\?":)\d{5}/g;
const NODE_PORTS = new Set(['nodePort', 'healthCheckNodePort']);
/** Of component statuses: a real server asks ports where nobody listens, the embedded one knows that the part is not there. */
const COMPONENT_PROBLEM = /Get "https:\/\/127\.0\.0\.1:\d+\/healthz": .*|this server has no (?:scheduler|controllers): .*/g;
/** Of `/version`: how the server was built. */
const BUILD_FIELDS = ['gitVersion', 'gitCommit', 'gitTreeState', 'buildDate', 'goVersion', 'compiler', 'platform'];

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
    const type = String(headers['content-type'] ?? '');
    // Quotes and folds of YAML are a matter of taste, but for what they hold; keys are sorted by both.
    if (type === 'application/yaml') return this.#json(JSON.stringify(parse(text)));
    if (!type.startsWith('application/json')) return this.#texts(text).split('\n');
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
    if (Array.isArray(value)) return sortedEntries(value, field).map((item) => this.#value(item, ITEM_FIELDS[field] ?? ''));
    if (typeof value === 'number' && NODE_PORTS.has(field) && value >= 30_000) return '<port>';
    if (typeof value !== 'object' || value === null) return value;
    if (field === 'columns') return withoutOwnWords(value as Column);
    const object = field === '' ? withoutOrder(value as Record<string, unknown>) : value;
    if (field === '' && isList(object)) return this.#list(object);
    if (field === '' && isBookmark(object)) return { ...object, object: this.#list(object.object) };
    return Object.fromEntries(Object.entries(object).map(([key, item]) => [this.#texts(key), this.#value(item, key)]));
  }

  /**
   * The version of a list is that of the store: other clients of a server write between two exchanges, a kube-apiserver its own Lease. It is told by the newest object that the
   * list must hold. So it is with a bookmark of a watch.
   */
  #list(list: List): object {
    const { metadata, ...rest } = list;
    const masked = this.#value(rest, 'list') as object;
    const store = BigInt(metadata.resourceVersion);
    const known = [...this.#versions.keys()].filter((version) => BigInt(version) <= store);
    const newest = known.reduce((one, other) => (BigInt(one) > BigInt(other) ? one : other), '0');
    const resourceVersion = newest === '0' ? '<version>' : `<${this.#versions.get(newest)?.slice(1, -1)} or later>`;
    const { resourceVersion: _, ...others } = metadata;
    const whole = { ...masked, metadata: inOrderOf(metadata, { ...(this.#value(others, 'metadata') as object), resourceVersion }) };
    return inOrderOf(list, whole);
  }

  #field(value: string, field: string): string {
    if (field === 'resourceVersion' && /^\d+$/.test(value) && value !== '0') return named(this.#versions, value, 'version');
    if (field === 'continue' && value !== '') return '<token>';
    if (field === 'cell' && AGE.test(value)) return '<age>';
    if (BUILD_FIELDS.includes(field)) return '<build>';
    if (field === 'token' && value.startsWith('ey')) return '<token>';
    if (field === 'name' || field === 'namespace')
      return this.#texts(value).replace(/^(generated-|kube-api-access-)[a-z0-9]{5}$/, '$1<suffix>');
    return this.#texts(value);
  }

  #texts(text: string): string {
    return text
      .replace(UUID, (uid) => named(this.#uids, uid, 'uid'))
      .replace(TIME, '<time>')
      .replace(SCHEME, 'in scheme <scheme>')
      .replace(DIFF, '')
      .replace(DECODED_FIELD, '<field>')
      .replace(ENTRIES_IN_TEXT, '$1<entries>')
      .replace(PORT_IN_TEXT, '<port>')
      .replace(CLUSTER_ADDRESS, '<address>')
      .replace(COMPONENT_PROBLEM, '<problem>')
      .replace(ADDRESS, '127.0.0.1:<port>')
      .replace(REVISION, '<revision>');
  }
}

interface List {
  readonly metadata: { readonly resourceVersion: string };
}

/** The order of fields counts. */
function inOrderOf(original: object, fields: object): object {
  return Object.fromEntries(Object.keys(original).map((name) => [name, (fields as Record<string, unknown>)[name]]));
}

function isList(value: object): value is List {
  const { items, rows, metadata } = value as { items?: unknown; rows?: unknown; metadata?: { resourceVersion?: unknown } };
  return (Array.isArray(items) || Array.isArray(rows)) && /^[1-9]\d*$/.test(String(metadata?.resourceVersion ?? ''));
}

interface Bookmark {
  readonly type: 'BOOKMARK';
  readonly object: List;
}

function isBookmark(value: object): value is Bookmark {
  return (value as { type?: unknown }).type === 'BOOKMARK';
}

const ITEM_FIELDS: Readonly<Record<string, string>> = { cells: 'cell', columnDefinitions: 'columns' };

interface Column {
  readonly name: string;
  readonly description: string;
}

/** Of built-in kinds the embedded server has no descriptions, and of custom resources those of name and age in words of its own. */
function withoutOwnWords(column: Column): Column {
  const isOfDefinition = column.description.startsWith('Custom resource definition column');
  return isOfDefinition && column.name !== 'Name' && column.name !== 'Age' ? column : { ...column, description: '<words>' };
}

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** Errors in fields of maps come in the order of Go's maps, which is random: the message of a Status tells them without order, as its sorted causes do. */
function withoutOrder(status: Record<string, unknown>): Record<string, unknown> {
  const { message, details } = status;
  const causes = (details as { causes?: readonly Cause[] } | undefined)?.causes ?? [];
  if (status['kind'] !== 'Status' || typeof message !== 'string' || causes.length < 2) return status;
  const texts = causes.map((cause) => `${cause.field}: ${cause.message}`);
  return { ...status, message: message.replace(`[${[...new Set(texts)].join(', ')}]`, '[<causes>]') };
}

/** Entries of equal seconds are ordered by manager, but the two servers may write at two sides of a second. Conflicts, errors and rules come as Go's maps give them. */
function sortedEntries(items: readonly unknown[], field: string): readonly unknown[] {
  const keyOf: Readonly<Record<string, (item: Record<string, unknown>) => string>> = {
    managedFields: ({ time: _time, ...entry }) => JSON.stringify(entry),
    causes: (cause) => JSON.stringify(cause),
    nonResourceRules: (rule) => JSON.stringify(rule),
    resourceRules: (rule) => JSON.stringify(rule),
  };
  const key = keyOf[field];
  if (key === undefined) return items;
  return (items as Record<string, unknown>[]).toSorted((left, right) => (key(left) < key(right) ? -1 : key(left) > key(right) ? 1 : 0));
}

function named(names: Map<string, string>, value: string, what: string): string {
  const name = names.get(value) ?? `<${what} ${names.size + 1}>`;
  names.set(value, name);
  return name;
}
