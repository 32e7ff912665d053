import { isError } from '@keelson/kubernetes/apimachinery';
import { HIDDEN, isSecretArgument, isSecretEntry, isSecretName, withoutCredentials } from '../masking/index.js';

export type Fields = Readonly<Record<string, unknown>>;

/** JSON, bounded, without what must not be read. */
export type SafeValue = string | number | boolean | null | undefined | readonly SafeValue[] | SafeFields;
export interface SafeFields {
  readonly [name: string]: SafeValue;
}

const LIMITS = { characters: 8_192, entries: 100, depth: 6, values: 1_000, causes: 8 } as const;

/**
 * The part of a caller's fields that may stand in a line of the log.
 *
 * Guarantees: never throws; objects of Kubernetes become references (a Secret's data, and everything else that is long, stays out); names and texts that look
 * like credentials are masked; long texts, large collections, deep nesting and cycles are cut, and it shows.
 */
export function safeFields(fields: Fields): SafeFields {
  return new Shortening().fields(fields);
}

/** A text without credentials, at most 8 Ki characters long. */
export function safeText(text: string): string {
  return withoutCredentials(
    text.length > LIMITS.characters ? `${text.slice(0, LIMITS.characters)}… (${text.length} characters)` : text,
    text,
  );
}

class Shortening {
  readonly #path = new Set<object>();
  #left: number = LIMITS.values;

  fields(fields: Fields): SafeFields {
    const safe: Record<string, SafeValue> = {};
    let names: string[];
    try {
      names = Object.keys(fields);
    } catch (error) {
      return { unreadable: messageOf(error) };
    }
    const isEntry = (names.includes('name') || names.includes('path')) && this.#isSecretEntry(fields);
    for (const name of names.slice(0, LIMITS.entries)) {
      safe[name] = this.#read(() => fields[name], isSecretName(name) || (isEntry && name === 'value'));
    }
    if (names.length > LIMITS.entries) safe['…'] = `${names.length - LIMITS.entries} more`;
    return safe;
  }

  /** An entry whose name cannot be read has a value that must not be read. */
  #isSecretEntry(fields: Fields): boolean {
    try {
      return isSecretEntry(fields);
    } catch {
      return true;
    }
  }

  /** A getter may throw, a proxy too: a log must not. */
  #read(get: () => unknown, isSecret = false): SafeValue {
    try {
      const value = get();
      if (!isSecret || typeof value === 'boolean' || value === undefined || value === null) return this.#value(value);
      return (typeof value === 'object' ? referenceOf(value) : undefined) ?? HIDDEN;
    } catch (error) {
      return `[unreadable: ${messageOf(error)}]`;
    }
  }

  #value(value: unknown): SafeValue {
    this.#left -= 1;
    switch (typeof value) {
      case 'string':
        return safeText(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'boolean':
      case 'undefined':
        return value;
      case 'bigint':
      case 'symbol':
        return String(value);
      case 'function':
        return `[function ${value.name}]`;
      default:
        return value === null ? null : this.#object(value as object);
    }
  }

  #object(value: object): SafeValue {
    if (this.#path.has(value)) return '[circular]';
    if (this.#path.size >= LIMITS.depth || this.#left <= 0) return '[…]';
    this.#path.add(value);
    try {
      return this.#known(value);
    } finally {
      this.#path.delete(value);
    }
  }

  #known(value: object): SafeValue {
    if (isError(value)) return this.#error(value, LIMITS.causes);
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Map) return this.fields(Object.fromEntries([...value].map(([key, item]) => [String(key), item as unknown])));
    if (value instanceof Set) return this.#list([...value]);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'invalid date' : value.toISOString();
    const reference = referenceOf(value);
    if (reference !== undefined) return reference;
    const { toJSON } = value as { readonly toJSON?: unknown };
    return typeof toJSON === 'function' ? this.#value(toJSON.call(value)) : this.fields(value as Fields);
  }

  #list(items: readonly unknown[]): SafeValue {
    const shown = items.slice(0, LIMITS.entries).map((item, index) => this.#read(() => item, isSecretArgument(items, index)));
    return items.length > LIMITS.entries ? [...shown, `… ${items.length - LIMITS.entries} more`] : shown;
  }

  /** Only what errors are known to carry: others hang requests and responses on them. */
  #error(error: Error, causesLeft: number): SafeFields {
    const { code, actor, cause, errors } = error as { code?: unknown; actor?: unknown; cause?: unknown; errors?: unknown };
    const inner = (value: unknown): SafeValue => {
      if (!isError(value)) return this.#value(value);
      if (this.#path.has(value)) return '[circular]';
      if (causesLeft <= 1) return safeText(messageOf(value));
      this.#path.add(value);
      const shown = this.#error(value, causesLeft - 1);
      this.#path.delete(value);
      return shown;
    };
    return {
      type: String(error.name),
      message: safeText(String(error.message)),
      ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
      ...(typeof actor === 'string' ? { actor } : {}),
      stack: safeText(String(error.stack ?? '')),
      ...(cause === undefined ? {} : { cause: inner(cause) }),
      ...(Array.isArray(errors) ? { errors: errors.slice(0, LIMITS.causes).map(inner) } : {}),
    };
  }
}

function messageOf(error: unknown): string {
  try {
    return isError(error) ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'an error that cannot be read';
  }
}

/**
 * Which object of Kubernetes it is, instead of what is in it: also one without a kind, as items of lists are, and a Secret that is not complete.
 */
function referenceOf(value: object): SafeFields | undefined {
  const { apiVersion, kind, metadata, data, stringData } = value as Fields;
  const hasMetadata = typeof metadata === 'object' && metadata !== null;
  const hasType = typeof apiVersion === 'string' && typeof kind === 'string';
  const isSecret = kind === 'Secret' || kind === 'SecretList' || stringData !== undefined;
  if (!(hasMetadata && (hasType || data !== undefined)) && !isSecret) return undefined;
  const meta = hasMetadata ? (metadata as Fields) : {};
  const named = ['namespace', 'name', 'uid', 'resourceVersion'].filter((name) => typeof meta[name] === 'string');
  return {
    ...(typeof apiVersion === 'string' ? { apiVersion } : {}),
    ...(typeof kind === 'string' ? { kind } : {}),
    ...Object.fromEntries(named.map((name) => [name, meta[name] as string])),
  };
}
