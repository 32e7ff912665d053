import { canonicalQuantity, goDurationText, messageOf, parseGoDuration } from '@keelson/kubernetes/apimachinery';
import { type Codec, type Draft, readWhole } from './codec.js';
import { isJsonObject } from './container-codecs.js';
import { type DecodeRun, described } from './decode-run.js';
import { canonicalTime, type Layout, timeText } from './go-time.js';
import { wellFormed } from './scalar-codecs.js';
import { type KnownField, readKnown, refuse, type WireReader } from './wire-reader.js';

/** Types of Go that decode themselves. */
export function specialCodec(name: string, schemaProps: () => Codec): Codec | undefined {
  switch (name) {
    case 'meta/v1.Time':
      return new TimeCodec('v1.Time', 'seconds');
    case 'meta/v1.MicroTime':
      return new TimeCodec('v1.MicroTime', 'micro');
    case 'meta/v1.Duration':
      return new DurationCodec();
    case 'resource.Quantity':
      return new QuantityCodec();
    case 'intstr.IntOrString':
      return new IntOrStringCodec();
    case 'runtime.RawExtension':
    case 'meta/v1.FieldsV1':
    case 'apiextensions/v1.JSON':
      return new RawCodec(name.slice(name.lastIndexOf('/') + 1));
    case 'apiextensions/v1.JSONSchemaPropsOrArray':
    case 'apiextensions/v1.JSONSchemaPropsOrBool':
    case 'apiextensions/v1.JSONSchemaPropsOrStringArray':
      return new UnionCodec(name.slice(name.lastIndexOf('/') + 1), schemaProps);
    default:
      return undefined;
  }
}

abstract class SpecialCodec {
  readonly goName: string;
  readonly wire = 2;

  constructor(goName: string) {
    this.goName = goName;
  }

  /** A struct for Go: `omitempty` never leaves it out. */
  isEmpty(): boolean {
    return false;
  }
}

function textOf(value: unknown, run: DecodeRun): string {
  if (typeof value === 'string') return wellFormed(value);
  return run.abort({ value: described(value, 'string'), goName: 'string' });
}

/** The last second that JavaScript's dates reach, which is the year 275760. */
const LAST_SECOND = 8_640_000_000_000n;

class TimeCodec extends SpecialCodec implements Codec {
  readonly #layout: Layout;

  constructor(goName: string, layout: Layout) {
    super(goName);
    this.#layout = layout;
  }

  decode(value: unknown, run: DecodeRun): string | null {
    if (value === null) return null;
    const time = canonicalTime(textOf(value, run), this.#layout);
    return 'problem' in time ? run.abort({ text: time.problem }) : time.text;
  }

  zero(): null {
    return null;
  }

  read(reader: WireReader): string | null {
    if (reader.isAtEnd) return null;
    let seconds = 0n;
    let nanoseconds = 0;
    readKnown(reader, 'Timestamp', {
      1: {
        name: 'Seconds',
        wire: 0,
        read: (inner) => {
          seconds = inner.int64();
        },
      },
      2: {
        name: 'Nanos',
        wire: 0,
        read: (inner) => {
          nanoseconds = inner.int32();
        },
      },
    });
    const moment =
      this.#layout === 'micro'
        ? { seconds: Number(seconds) + Math.floor(nanoseconds / 1e9), nanoseconds: ((nanoseconds % 1e9) + 1e9) % 1e9 }
        : { seconds: Number(seconds), nanoseconds: 0 };
    if (seconds > LAST_SECOND || seconds < -LAST_SECOND) return refuse(`proto: a time of ${seconds} seconds is out of range`);
    return timeText(moment, this.#layout);
  }
}

class DurationCodec extends SpecialCodec implements Codec {
  constructor() {
    super('v1.Duration');
  }

  decode(value: unknown, run: DecodeRun): string {
    // Go's decoder reads null as an empty text, and there is no duration in that.
    const duration = parseGoDuration(value === null ? '' : textOf(value, run));
    return typeof duration === 'string' ? run.abort({ text: duration }) : goDurationText(duration);
  }

  zero(): string {
    return '0s';
  }

  read(reader: WireReader): string {
    let duration = 0n;
    readKnown(reader, 'Duration', {
      1: {
        name: 'Duration',
        wire: 0,
        read: (inner) => {
          duration = inner.int64();
        },
      },
    });
    return goDurationText(duration);
  }
}

class QuantityCodec extends SpecialCodec implements Codec {
  constructor() {
    super('resource.Quantity');
  }

  decode(value: unknown, run: DecodeRun): string {
    if (value === null) return '0';
    // Go parses the text of any value, quotes taken off.
    const text = typeof value === 'object' ? '{' : String(value).trim();
    const quantity = canonicalQuantity(text);
    if ('problem' in quantity) return run.abort({ text: quantity.problem });
    return run.isStored ? canonicalText(quantity.text) : quantity.text;
  }

  zero(): string {
    return '0';
  }

  read(reader: WireReader): string {
    let text = '0';
    readKnown(reader, 'Quantity', {
      1: {
        name: 'String_',
        wire: 2,
        read: (inner) => {
          text = canonicalText(inner.text());
        },
      },
    });
    return text;
  }
}

function canonicalText(text: string): string {
  const quantity = canonicalQuantity(text);
  return 'problem' in quantity ? refuse(quantity.problem) : quantity.text;
}

class IntOrStringCodec extends SpecialCodec implements Codec {
  constructor() {
    super('intstr.IntOrString');
  }

  decode(value: unknown, run: DecodeRun): string | number {
    if (typeof value === 'string') return wellFormed(value);
    if (value === null) return 0;
    const number = Number(value);
    if ((typeof value === 'number' || typeof value === 'bigint') && Number.isInteger(number) && Math.abs(number + 0.5) < 2 ** 31)
      return number + 0;
    return run.abort({ value: described(value, 'int32'), goName: 'int32' });
  }

  zero(): number {
    return 0;
  }

  read(reader: WireReader): unknown {
    return readWhole(this.draft(), reader);
  }

  draft(): Draft {
    const parts = { type: 0n, number: 0, text: '' };
    const field = (name: string, wire: 0 | 2, read: (inner: WireReader) => void): KnownField => ({ name, wire, read });
    const fields = {
      1: field('Type', 0, (inner) => Object.assign(parts, { type: inner.int64() })),
      2: field('IntVal', 0, (inner) => Object.assign(parts, { number: inner.int32() })),
      3: field('StrVal', 2, (inner) => Object.assign(parts, { text: inner.text() })),
    };
    const value = (): string | number => {
      if (parts.type === 0n) return parts.number;
      return parts.type === 1n
        ? parts.text
        : refuse('json: error calling MarshalJSON for type intstr.IntOrString: impossible IntOrString.Type');
    };
    return { add: (reader) => readKnown(reader, 'IntOrString', fields), value };
  }
}

/** JSON that Go keeps as it came. */
class RawCodec extends SpecialCodec implements Codec {
  decode(value: unknown): unknown {
    return value;
  }

  zero(): null {
    return null;
  }

  read(reader: WireReader): unknown {
    return readWhole(this.draft(), reader);
  }

  draft(): Draft {
    const message = this.goName.slice(this.goName.indexOf('.') + 1);
    let raw: Buffer | undefined;
    const field: KnownField = {
      name: 'Raw',
      wire: 2,
      read: (inner) => {
        raw = inner.rest();
      },
    };
    return { add: (reader) => readKnown(reader, message, { 1: field }), value: () => this.#parsed(raw) };
  }

  /** Go keeps whatever bytes there are, and finds out when it writes them. */
  #parsed(raw: Buffer | undefined): unknown {
    if (raw === undefined) return null;
    try {
      return JSON.parse(raw.toString('utf8')) as unknown;
    } catch (error) {
      return refuse(`json: error calling MarshalJSON for type ${this.goName}: ${messageOf(error)}`);
    }
  }
}

/** A schema, or a list, or a boolean: apiextensions' three unions. Inside them Go decodes anew, without an eye on unknown fields. */
class UnionCodec extends SpecialCodec implements Codec {
  readonly #schema: () => Codec;
  readonly #other: 'Array' | 'Bool' | 'StringArray';

  constructor(goName: string, schema: () => Codec) {
    super(goName);
    this.#schema = schema;
    this.#other = goName.slice(goName.indexOf('Or') + 2) as 'Array' | 'Bool' | 'StringArray';
  }

  decode(value: unknown, run: DecodeRun): unknown {
    if (isJsonObject(value)) return run.nested((inner) => this.#schema().decode(value, inner));
    if (this.#other === 'Bool') return typeof value === 'boolean' ? value : run.abort({ text: 'boolean or JSON schema expected' });
    if (!Array.isArray(value) || value.length === 0) return null;
    return run.nested((inner) => value.map((item, index) => this.#item(item, index, inner)));
  }

  #item(item: unknown, index: number, run: DecodeRun): unknown {
    run.enter(index);
    const decoded = this.#other === 'Array' ? this.#schema().decode(item, run) : textItem(item, run);
    run.leave();
    return decoded;
  }

  zero(): boolean | null {
    return this.#other === 'Bool' ? false : null;
  }

  read(reader: WireReader): unknown {
    return readWhole(this.draft(), reader);
  }

  draft(): Draft {
    const union = new UnionDraft(this.#other, this.#schema());
    const message = this.goName.slice(this.goName.indexOf('.') + 1);
    return { add: (reader) => readKnown(reader, message, union.fields), value: () => union.value() };
  }
}

/** Whether it allows, or its items; and its schema. */
class UnionDraft {
  readonly fields: Readonly<Record<number, KnownField>>;
  readonly #other: 'Array' | 'Bool' | 'StringArray';
  readonly #items: unknown[] = [];
  #schema: Draft | undefined;
  #allows = false;

  constructor(other: 'Array' | 'Bool' | 'StringArray', codec: Codec) {
    this.#other = other;
    const read = (inner: WireReader): void => {
      this.#schema ??= codec.draft?.();
      this.#schema?.add(inner);
    };
    const schema: KnownField = { name: 'Schema', wire: 2, read };
    const items: KnownField =
      other === 'Array'
        ? { name: 'JSONSchemas', wire: 2, read: (inner) => this.#items.push(codec.read(inner)) }
        : { name: 'Property', wire: 2, read: (inner) => this.#items.push(inner.text()) };
    this.fields =
      other === 'Bool' ? { 1: { name: 'Allows', wire: 0, read: (inner) => this.#allow(inner) }, 2: schema } : { 1: schema, 2: items };
  }

  #allow(reader: WireReader): void {
    this.#allows = Number(reader.varint()) !== 0;
  }

  value(): unknown {
    const schema = this.#schema?.value();
    if (this.#other === 'Bool') return schema ?? this.#allows;
    return this.#items.length > 0 ? this.#items : (schema ?? null);
  }
}

function textItem(item: unknown, run: DecodeRun): string {
  if (typeof item === 'string') return wellFormed(item);
  if (item !== null) run.mismatch(item, 'string');
  return '';
}
