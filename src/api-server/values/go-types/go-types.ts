import { apiVersionOf, goQuote } from '@keelson/kubernetes/apimachinery';
import type { Codec, Draft } from './codec.js';
import { MapCodec, PointerCodec, SliceCodec } from './container-codecs.js';
import { DecodeRun } from './decode-run.js';
import { readEnvelope } from './envelope.js';
import { GoDecodeError } from './errors.js';
import { scalarCodec } from './scalar-codecs.js';
import { specialCodec } from './special-codecs.js';
import { StructCodec } from './struct-codec.js';
import { type GoField, type GoType, TypeTable } from './table.js';
import { unstructuredProblem } from './unstructured-problem.js';
import { WireReader } from './wire-reader.js';

export interface KindName {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface DecodedJson {
  /** The object as the server would write it. */
  readonly value: Record<string, unknown>;
  /** Fields that the type does not have, in the server's words and in the order of the document: `unknown field "spec.foo"`. At most 100. */
  readonly unknown: readonly string[];
}

export interface DecodedProtobuf {
  readonly apiVersion: string;
  readonly kind: string;
  readonly value: Record<string, unknown>;
}

/** A struct of the table: `apps/v1.Deployment`. Made by {@link GoTypes.typeOf}. */
export interface GoStruct {
  readonly name: string;
}

/**
 * The Go types of the built-in kinds, and what Go's decoders make of documents.
 *
 * - Read type by type: nothing is compiled before it is asked for.
 * - Numbers are JavaScript's: `1.0` counts as 1, and an int64 beyond 2^53 is the nearest number, unless the parser gives a bigint for the check of ranges.
 * - Duplicate fields are the parser's to find: an object does not have them any more.
 *
 * Source of the rules: sigs.k8s.io/json, gogo/protobuf's generated decoders, and the types of Kubernetes.
 */
export class GoTypes {
  readonly #table = new TypeTable();
  readonly #structs = new Map<string, StructCodec>();
  readonly #codecs = new Map<GoType, Codec>();

  /** Nothing for a kind that the group version does not have. DeleteOptions and the other kinds of meta/v1 are kinds of every group version. */
  typeOf({ group, version, kind }: KindName): GoStruct | undefined {
    const name = this.#table.kind(apiVersionOf({ group, version }), kind);
    return name === undefined ? undefined : { name };
  }

  /** Fields in Go's order; those of embedded structs are fields of the embedded type. */
  fields(struct: GoStruct): readonly GoField[] {
    return this.#table.fields(struct.name);
  }

  /**
   * The value that the server holds after it has read `value`: unknown fields gone, empty ones gone or null, times and quantities canonical, in Go's order.
   *
   * @throws GoDecodeError with Go's text for a value of a wrong type: `json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of
   * type int32`
   */
  decodeJson(struct: GoStruct, value: unknown): DecodedJson {
    return this.#decode(struct, value, false);
  }

  /**
   * The server's answer after it has stored `value`: as {@link decodeJson}, and empty lists and maps are gone, because protobuf does not know them.
   * CustomResourceDefinitions and APIServices are stored as JSON, and keep them.
   *
   * @throws GoDecodeError when the object is not of its type
   */
  storedForm(struct: GoStruct, value: unknown): Record<string, unknown> {
    return this.#decode(struct, value, !STORED_AS_JSON.test(struct.name)).value;
  }

  #decode(struct: GoStruct, value: unknown, isStored: boolean): DecodedJson {
    const run = new DecodeRun({ isStored });
    const decoded = run.finish(() => this.#struct(struct.name).decode(value, run));
    return { value: decoded, unknown: run.unknown };
  }

  /**
   * The server's error for the result of a strategic merge patch, which it does not read as JSON: `unrecognized type: int32`. Undefined: nothing; what
   * {@link decodeJson} makes of it is then what the server holds.
   */
  unstructuredProblem(struct: GoStruct, value: unknown): string | undefined {
    return unstructuredProblem(value, this.#table.type(struct.name), {
      fields: (name) => this.#table.fields(name),
      specialProblem: (name, item) => this.#specialProblem(name, item),
    });
  }

  #specialProblem(name: string, value: unknown): string | undefined {
    const run = new DecodeRun({ isStored: false });
    try {
      run.finish(() => this.#codec(this.#table.type(name)).decode(value, run));
      return undefined;
    } catch (error) {
      if (!GoDecodeError.isGoDecodeError(error)) throw error;
      return error.message;
    }
  }

  /** Go's zero value as it is written; a new object each time. */
  emptyValue(struct: GoStruct): Record<string, unknown> {
    return this.#struct(struct.name).zero();
  }

  /**
   * Reads a body of `application/vnd.kubernetes.protobuf`.
   *
   * @param fallback the kind of a body that names none
   * @throws GoDecodeError for what is not such a body, names an unknown kind, or cannot be written as JSON
   */
  decodeProtobuf(bytes: Uint8Array, fallback?: KindName): DecodedProtobuf {
    const { apiVersion, kind, raw } = readEnvelope(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), fallback);
    const name = this.#table.kind(apiVersion, kind);
    if (name === undefined) {
      throw new GoDecodeError(
        `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme "pkg/api/legacyscheme/scheme.go:30"`,
      );
    }
    const { kind: _kind, apiVersion: _apiVersion, ...value } = this.#struct(name).read(new WireReader(raw));
    return { apiVersion, kind, value: { kind, apiVersion, ...value } };
  }

  #struct(name: string): StructCodec {
    const known = this.#structs.get(name);
    if (known !== undefined) return known;
    const codec = new StructCodec(name, { fields: (struct) => this.#table.fields(struct), codec: (type) => this.#codec(type) });
    this.#structs.set(name, codec);
    return codec;
  }

  #codec(type: GoType): Codec {
    const known = this.#codecs.get(type);
    if (known !== undefined) return known;
    const codec = this.#newCodec(type);
    this.#codecs.set(type, codec);
    return codec;
  }

  #newCodec(type: GoType): Codec {
    switch (type.form) {
      case 'pointer':
        return new PointerCodec(type.goName, this.#codec(type.item));
      case 'slice':
        return new SliceCodec(type.goName, this.#codec(type.item), type.isMessage);
      case 'map':
        return new MapCodec(type.goName, this.#codec(type.item), type.item.form === 'bytes');
      case 'struct':
        return new LazyCodec(type.goName, () => this.#struct(type.name));
      case 'special':
        return this.#special(type.name);
      default:
        return scalarCodec(type.form, type.goName);
    }
  }

  #special(name: string): Codec {
    const codec = specialCodec(name, () => this.#struct('apiextensions/v1.JSONSchemaProps'));
    if (codec === undefined)
      throw new Error(`${name} is neither in the table of Go types nor known to decode itself: generate the table again`);
    return codec;
  }
}

const STORED_AS_JSON = /^api(?:extensions|registration)\//;

/** A struct is compiled when the first value of it comes: types may contain themselves, and most are never met. */
class LazyCodec implements Codec {
  readonly goName: string;
  readonly wire = 2;
  readonly #make: () => StructCodec;
  #codec: StructCodec | undefined;

  constructor(goName: string, make: () => StructCodec) {
    this.goName = goName;
    this.#make = make;
  }

  get #struct(): StructCodec {
    this.#codec ??= this.#make();
    return this.#codec;
  }

  decode(value: unknown, run: DecodeRun): unknown {
    return this.#struct.decode(value, run);
  }

  zero(): unknown {
    return this.#struct.zero();
  }

  isEmpty(): boolean {
    return false;
  }

  read(reader: WireReader): unknown {
    return this.#struct.read(reader);
  }

  draft(): Draft {
    return this.#struct.draft();
  }
}
