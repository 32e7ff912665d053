import { readFile } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isRecord } from '@keelson/kubernetes/apimachinery';
import { ConnectionSettingsError, textOf } from './errors.js';

/** A YAML mapping of a kubeconfig whose fields have not been looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** An entry of one of the three lists, with the file that it stands in: relative paths are meant from there. */
export interface KubeconfigEntry {
  readonly name: string;
  readonly fields: Fields;
  readonly file: string;
}

/** Kubeconfig files, merged as kubectl does it. */
export interface Kubeconfig {
  /** The files that were read, for messages. */
  readonly files: readonly string[];
  /** The context that is used where none is named; `undefined` if no file names one. */
  readonly currentContext: string | undefined;
  /** API servers, by name. */
  readonly clusters: ReadonlyMap<string, KubeconfigEntry>;
  /** Identities with their credentials, by name. */
  readonly users: ReadonlyMap<string, KubeconfigEntry>;
  /** Pairs of a cluster and a user, by name. */
  readonly contexts: ReadonlyMap<string, KubeconfigEntry>;
}

/** The paths that the variable `KUBECONFIG` lists. */
export function kubeconfigPaths(variable: string): string[] {
  return [...new Set(variable.split(delimiter).filter((path) => path !== ''))];
}

/**
 * Reads and merges kubeconfig files: the first file that has a name, or a current context, wins, and nothing is mixed within an entry.
 *
 * @example
 * ```ts
 * const config = await readKubeconfig(['team.kubeconfig', 'own.kubeconfig'], { mayLack: true });
 * const connection = kubeconfigConnection(config);
 * ```
 *
 * @param mayLack whether files may be absent, as those of the variable may; at least one must be there
 * @throws ConnectionSettingsError
 */
export async function readKubeconfig(
  paths: readonly string[],
  { mayLack = false }: { readonly mayLack?: boolean } = {},
): Promise<Kubeconfig> {
  const found: { path: string; text: string }[] = [];
  for (const path of paths.map((given) => resolve(given))) {
    try {
      found.push({ path, text: await readFile(path, 'utf8') });
    } catch (error) {
      if (mayLack && (error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw new ConnectionSettingsError(`kubeconfig ${path}: cannot be read: ${textOf(error)}`, { cause: error });
    }
  }
  if (found.length === 0) throw new ConnectionSettingsError(`kubeconfig: none of these files exists: ${paths.join(', ')}`);
  // A Pod needs no YAML: it is loaded only here.
  const { parse } = await import('yaml');
  return merge(found.map(({ path, text }) => parsed(path, text, parse)));
}

type ParseYaml = (text: string, options: { readonly logLevel: 'error' }) => unknown;

interface OneFile {
  readonly path: string;
  readonly fields: Fields;
}

function parsed(path: string, text: string, parse: ParseYaml): OneFile {
  let document: unknown;
  try {
    // Warnings of the parser would go to the console.
    document = parse(text, { logLevel: 'error' }) ?? {};
  } catch (error) {
    throw new ConnectionSettingsError(`kubeconfig ${path}: no YAML${placeOf(error)}`);
  }
  if (!isRecord(document)) throw new ConnectionSettingsError(`kubeconfig ${path}: holds ${typeNameOf(document)} where a mapping is wanted`);
  const kind = document['kind'] ?? 'Config';
  if (kind !== 'Config') throw new ConnectionSettingsError(`kubeconfig ${path}: kind is ${JSON.stringify(kind)}, not "Config"`);
  return { path, fields: document };
}

/** Where the parser gave up and why, in its code. Its message and the error itself quote the lines around, and with them tokens and keys. */
function placeOf(error: unknown): string {
  const { code, linePos, message } = error as { code?: unknown; linePos?: readonly { line: number; col: number }[]; message?: unknown };
  const [at] = linePos ?? [];
  const where = at === undefined ? '' : `: line ${at.line}, column ${at.col}`;
  if (typeof code === 'string') return `${where}: ${code}`;
  return /alias/i.test(String(message)) ? ': an alias is wrong, or there are too many' : where;
}

function merge(files: readonly OneFile[]): Kubeconfig {
  const clusters = new Map<string, KubeconfigEntry>();
  const users = new Map<string, KubeconfigEntry>();
  const contexts = new Map<string, KubeconfigEntry>();
  let currentContext: string | undefined;
  for (const file of files) {
    collect(file, { list: 'clusters', field: 'cluster', into: clusters });
    collect(file, { list: 'users', field: 'user', into: users });
    collect(file, { list: 'contexts', field: 'context', into: contexts });
    currentContext ??= textField(file.fields, 'current-context', `kubeconfig ${file.path}`);
  }
  return { files: files.map(({ path }) => path), currentContext, clusters, users, contexts };
}

interface ListPlace {
  readonly list: string;
  readonly field: string;
  readonly into: Map<string, KubeconfigEntry>;
}

function collect({ path, fields }: OneFile, { list, field, into }: ListPlace): void {
  const entries = fields[list] ?? [];
  const wrong = (where: string, value: unknown, wanted: string): Error =>
    new ConnectionSettingsError(`kubeconfig ${path}: ${where} is ${typeNameOf(value)}, not ${wanted}`);
  if (!Array.isArray(entries)) throw wrong(list, entries, 'a list');
  for (const [index, entry] of (entries as unknown[]).entries()) {
    const where = `${list}[${index}]`;
    if (!isRecord(entry)) throw wrong(where, entry, 'a mapping');
    const { name } = entry;
    if (typeof name !== 'string' || name === '') throw wrong(`${where}.name`, name, 'a name');
    const body = entry[field] ?? {};
    if (!isRecord(body)) throw wrong(`${where}.${field}`, body, 'a mapping');
    if (!into.has(name)) into.set(name, { name, fields: body, file: path });
  }
}

/** A text that is there and not empty. @throws ConnectionSettingsError when it is something else */
export function textField(fields: Fields, name: string, where: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string')
    throw new ConnectionSettingsError(`${where}: ${name} is ${typeNameOf(value)}, not a text; put it into quotes`);
  return value;
}

/** A path, from the directory of the file that names it. */
export function pathField(entry: KubeconfigEntry, name: string, where: string): string | undefined {
  const path = textField(entry.fields, name, where);
  return path === undefined || isAbsolute(path) ? path : join(dirname(entry.file), path);
}

function typeNameOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
