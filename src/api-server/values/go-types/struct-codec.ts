import { type Codec, type Draft, readWhole } from './codec.js';
import { isJsonObject, MapCodec, SliceCodec, sorted } from './container-codecs.js';
import type { DecodeRun, StructStep } from './decode-run.js';
import type { GoField } from './table.js';
import { expectWire, type FieldReader, readMessage, type WireReader } from './wire-reader.js';

/** A field of a struct in JSON: those of embedded structs stand among its own. */
interface Slot extends StructStep {
  readonly index: number;
  readonly codec: Codec;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
}

/** Where protobuf's values go: into a slot, or into the slots of an embedded struct. */
type WireField = { readonly slot: Slot; readonly goName: string } | { readonly goName: string; readonly message: WireMessage };

interface WireMessage {
  readonly name: string;
  readonly fields: ReadonlyMap<number, WireField>;
}

export interface StructSource {
  fields(struct: string): readonly GoField[];
  codec(type: GoField['type']): Codec;
}

/** Codec of a struct: fields come in any order and leave in Go's. */
export class StructCodec implements Codec {
  readonly goName: string;
  readonly wire = 2;
  readonly #slots: Slot[] = [];
  readonly #maps: Slot[] = [];
  readonly #byName = new Map<string, Slot>();
  readonly #message: WireMessage;

  constructor(name: string, source: StructSource) {
    this.goName = name.slice(name.lastIndexOf('/') + 1);
    this.#message = this.#compile(name, source);
  }

  #compile(name: string, source: StructSource): WireMessage {
    const fields = new Map<number, WireField>();
    for (const field of source.fields(name)) {
      const wireField = this.#field(field, source);
      if (field.protobufNumber !== undefined) fields.set(field.protobufNumber, wireField);
    }
    return { name: name.slice(name.lastIndexOf('.') + 1), fields };
  }

  #field(field: GoField, source: StructSource): WireField {
    const { goName, jsonName, type } = field;
    if (field.isInlined && type.form === 'struct') return { goName, message: this.#compile(type.name, source) };
    const owner = this.goName.slice(this.goName.indexOf('.') + 1);
    const index = this.#slots.length;
    const slot = { index, jsonName, owner, codec: source.codec(type), omitEmpty: field.omitEmpty, omitZero: field.omitZero };
    this.#slots.push(slot);
    if (slot.codec instanceof MapCodec) this.#maps.push(slot);
    this.#byName.set(jsonName, slot);
    return { goName, slot };
  }

  decode(value: unknown, run: DecodeRun): Record<string, unknown> {
    const values: unknown[] = new Array(this.#slots.length).fill(undefined);
    if (!isJsonObject(value)) {
      if (value !== null) run.mismatch(value, this.goName);
      return this.#written(values);
    }
    run.descend();
    for (const name of Object.keys(value)) {
      const slot = this.#byName.get(name);
      if (slot === undefined) {
        run.unknownField(name);
        continue;
      }
      run.enter(slot);
      values[slot.index] = slot.codec.decode(value[name], run);
      run.leave();
    }
    run.ascend();
    return this.#written(values);
  }

  zero(): Record<string, unknown> {
    return this.#written([]);
  }

  /** `omitempty` does not know structs. */
  isEmpty(): boolean {
    return false;
  }

  #written(values: readonly unknown[]): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const { index, jsonName, codec, omitEmpty, omitZero } of this.#slots) {
      const value = values[index] ?? (values[index] === null ? null : codec.zero());
      if (omitEmpty && codec.isEmpty(value)) continue;
      if (omitZero && value === null) continue;
      object[jsonName] = value ?? null;
    }
    return object;
  }

  read(reader: WireReader): Record<string, unknown> {
    return readWhole(this.draft(), reader) as Record<string, unknown>;
  }

  draft(): Draft {
    const target: Target = { values: new Array(this.#slots.length).fill(undefined), drafts: [] };
    return {
      add: (reader) => readInto(reader, this.#message, target),
      value: () => {
        target.drafts.forEach((draft, index) => {
          target.values[index] = draft.value();
        });
        for (const { index } of this.#maps) {
          const entries = target.values[index];
          if (entries !== undefined) target.values[index] = sorted(entries as Record<string, unknown>);
        }
        return this.#written(target.values);
      },
    };
  }
}

interface Target {
  readonly values: unknown[];
  /** Messages that are not lists, by slot: more parts of them may come. */
  readonly drafts: Draft[];
}

function readInto(reader: WireReader, message: WireMessage, target: Target): void {
  readMessage(reader, message.name, (number): FieldReader | undefined => {
    const field = message.fields.get(number);
    return field === undefined ? undefined : (inner, wire) => readField(inner, wire, { field, target });
  });
}

function readField(reader: WireReader, wire: number, { field, target }: { field: WireField; target: Target }): void {
  const { goName } = field;
  if ('message' in field) {
    expectWire(wire, 2, goName);
    readInto(reader.delimited(), field.message, target);
    return;
  }
  const { index, codec } = field.slot;
  const { values, drafts } = target;
  if (codec instanceof SliceCodec && codec.draft === undefined) {
    values[index] ??= [];
    codec.readItem(reader, { wire, field: goName, items: values[index] as unknown[] });
    return;
  }
  expectWire(wire, codec.wire, goName);
  if (codec instanceof MapCodec) {
    values[index] ??= {};
    codec.readEntry(reader, values[index] as Record<string, unknown>);
  } else if (codec.draft !== undefined) {
    drafts[index] ??= codec.draft();
    drafts[index].add(reader.delimited());
  } else values[index] = codec.read(codec.wire === 2 ? reader.delimited() : reader);
}
