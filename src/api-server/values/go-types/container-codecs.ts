import { compareUtf8, isRecord } from '@keelson/kubernetes/apimachinery';
import { type Codec, type Draft, readWhole } from './codec.js';
import type { DecodeRun } from './decode-run.js';
import { wellFormed } from './scalar-codecs.js';
import { expectWire, readMessage, refuse, type WireReader } from './wire-reader.js';

/** Sets a field whatever its name is: an assignment to `__proto__` would not make one. */
function setField(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  else object[name] = value;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return isRecord(value);
}

export class PointerCodec implements Codec {
  readonly goName: string;
  readonly draft?: () => Draft;
  readonly #item: Codec;

  constructor(goName: string, item: Codec) {
    this.goName = goName;
    this.#item = item;
    const draft = item.draft?.bind(item);
    if (draft !== undefined) this.draft = draft;
  }

  get wire(): Codec['wire'] {
    return this.#item.wire;
  }

  decode(value: unknown, run: DecodeRun): unknown {
    return value === null ? undefined : this.#item.decode(value, run);
  }

  zero(): undefined {
    return undefined;
  }

  isEmpty(value: unknown): boolean {
    return value === undefined;
  }

  read(reader: WireReader): unknown {
    return this.#item.read(reader);
  }
}

/** `[]T`; with `isMessage` protobuf wraps it into a message whose first field repeats. */
export class SliceCodec implements Codec {
  readonly goName: string;
  readonly wire = 2;
  readonly item: Codec;
  readonly draft?: () => Draft;

  constructor(goName: string, item: Codec, isMessage: boolean) {
    this.goName = goName;
    this.item = item;
    if (isMessage) this.draft = () => this.#draft();
  }

  decode(value: unknown, run: DecodeRun): unknown[] | undefined {
    if (!Array.isArray(value)) {
      if (value !== null) run.mismatch(value, this.goName);
      return undefined;
    }
    if (value.length === 0 && run.isStored) return undefined;
    const items: unknown[] = [];
    for (let index = 0; index < value.length; index += 1) {
      run.enter(index);
      items.push(this.item.decode(value[index], run) ?? null);
      run.leave();
    }
    return items;
  }

  zero(): undefined {
    return undefined;
  }

  isEmpty(value: unknown): boolean {
    return value === undefined || (value as readonly unknown[]).length === 0;
  }

  read(reader: WireReader): unknown {
    return readWhole(this.#draft(), reader);
  }

  #draft(): Draft {
    const items: unknown[] = [];
    const message = this.goName.slice(this.goName.indexOf('.') + 1);
    const add = (inner: WireReader, wire: number): void => this.readItem(inner, { wire, field: 'Items', items });
    return {
      add: (reader) => readMessage(reader, message, (number) => (number === 1 ? add : undefined)),
      value: () => (items.length === 0 ? undefined : items),
    };
  }

  /** One more item, or several numbers packed. */
  readItem(reader: WireReader, { wire, field, items }: { wire: number; field: string; items: unknown[] }): void {
    if (this.item.wire !== 2 && wire === 2) {
      const packed = reader.delimited();
      while (!packed.isAtEnd) items.push(this.item.read(packed));
      return;
    }
    expectWire(wire, this.item.wire, field);
    items.push(this.item.read(wire === 2 ? reader.delimited() : reader) ?? null);
  }
}

/** `map[string]T`: Go writes its keys in order of their bytes. Only keys that look like whole numbers come first here, as in every JavaScript object. */
export class MapCodec implements Codec {
  readonly goName: string;
  readonly wire = 2;
  readonly item: Codec;
  readonly #storedNil: unknown;

  constructor(goName: string, item: Codec, hasBytes: boolean) {
    this.goName = goName;
    this.item = item;
    // Protobuf has no nil in a map: bytes come back empty.
    this.#storedNil = hasBytes ? '' : null;
  }

  decode(value: unknown, run: DecodeRun): Record<string, unknown> | undefined {
    if (!isJsonObject(value)) {
      if (value !== null) run.mismatch(value, this.goName);
      return undefined;
    }
    const decoded: Record<string, unknown> = {};
    const keys = Object.keys(value);
    if (keys.length === 0 && run.isStored) return undefined;
    const nil = run.isStored ? this.#storedNil : null;
    // In the order of the document, for the errors; the result is sorted.
    const isSorted = keys.every((key, index) => index === 0 || compareUtf8(keys[index - 1] as string, key) < 0);
    for (const key of keys) {
      run.enter(key);
      setField(decoded, wellFormed(key), this.item.decode(value[key], run) ?? nil);
      run.leave();
    }
    return isSorted ? decoded : sorted(decoded);
  }

  zero(): undefined {
    return undefined;
  }

  isEmpty(value: unknown): boolean {
    if (value !== undefined) for (const key in value as object) if (Object.hasOwn(value as object, key)) return false;
    return true;
  }

  read(): never {
    return refuse('proto: a map has entries, not a value');
  }

  /** Key and value of one entry; a missing one is zero, and the last of several counts. */
  readEntry(reader: WireReader, entries: Record<string, unknown>): void {
    let key = '';
    let value: unknown;
    let hasValue = false;
    reader.entry((inner, number) => {
      if (number === 1) key = inner.delimited().text();
      else {
        value = this.item.read(this.item.wire === 2 ? inner.delimited() : inner);
        hasValue = true;
      }
    });
    if (!hasValue) value = this.item.zero() ?? this.#storedNil;
    setField(entries, key, value ?? null);
  }
}

export function sorted(entries: Record<string, unknown>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(entries).sort(compareUtf8)) setField(result, key, entries[key]);
  return result;
}
