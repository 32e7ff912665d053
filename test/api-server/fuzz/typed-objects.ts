import type { GoField, GoStruct, GoType, GoTypes } from '../../../src/api-server/values/go-types/index.js';
import type { Json } from '../../../src/kubernetes/apimachinery/index.js';
import type { Random } from '../values/apply/differential/random.js';
import { oddString, randomJson } from './json-values.js';

type JsonMap = { readonly [field: string]: Json };

/** Words that validation knows, so that what is drawn gets past the first check at times. */
const WORDS = [
  'a',
  'b',
  'default',
  'kube-system',
  'Always',
  'Never',
  'OnFailure',
  'IfNotPresent',
  'TCP',
  'UDP',
  'ClusterIP',
  'NodePort',
  'LoadBalancer',
  'ExternalName',
  'None',
  'Equal',
  'Exists',
  'In',
  'NoSchedule',
  'Delete',
  'Retain',
  'RollingUpdate',
  'Recreate',
  'OnDelete',
  'Opaque',
  'IPv4',
  'IPv6',
  'SingleStack',
  '10.0.0.1',
  '::1',
  '10.0.0.0/8',
  'a.example.com',
  '/x',
  '100m',
  '1Gi',
  '50%',
  'http',
  '2026-01-02T03:04:05Z',
  '* * * * *',
  'Indexed',
  'Cluster',
  'Namespaced',
  'object',
  'string',
  'integer',
  'v1',
  'apps/v1',
  'Deployment',
  'self',
  'true',
  'Fail',
  'Ignore',
  'Prefix',
  'metadata.name',
];

const MAX_ITEMS = 3;

/** Values of Go types: right in form, wild in what they say. */
export class TypedObjects {
  readonly #types: GoTypes;

  constructor(types: GoTypes) {
    this.#types = types;
  }

  /** The object with some fields of its type added or replaced, at any depth. */
  grafted(random: Random, struct: GoStruct, object: JsonMap): JsonMap {
    const result: Record<string, Json> = { ...object };
    for (let round = 1 + random.below(2); round > 0; round -= 1) {
      const fields = this.#types.fields(struct).filter(({ jsonName }) => jsonName !== 'kind' && jsonName !== 'apiVersion');
      if (fields.length === 0) return result;
      const field = random.one(fields);
      const inner = childOf(field.type);
      const known = Object.hasOwn(result, field.jsonName) ? result[field.jsonName] : undefined;
      if (inner !== undefined && isMap(known) && random.chance(0.85)) result[field.jsonName] = this.grafted(random, inner, known);
      else if (inner !== undefined && isMapList(known) && random.chance(0.85)) {
        const at = random.below(known.length);
        result[field.jsonName] = known.map((item, index) => (index === at ? this.grafted(random, inner, item) : item));
      } else setField(result, field, this.value(random, field.type, 3));
    }
    return result;
  }

  value(random: Random, type: GoType, depth: number): Json {
    switch (type.form) {
      case 'string':
        return random.chance(0.7) ? random.one(WORDS) : oddString(random);
      case 'bool':
        return random.chance(0.5);
      case 'int32':
      case 'int64':
        return random.one([0, 1, -1, 2, 5, 80, 65_535, 65_536, 2 ** 31 - 1, -(2 ** 31)]);
      case 'float64':
        return random.one([0, 0.5, -1, 1e300]);
      case 'bytes':
        return random.one(['', 'YQ==', 'AAAA', 'YQ', '!']);
      case 'any':
        return randomJson(random, 2);
      case 'pointer':
        return random.chance(0.05) ? null : this.value(random, type.item, depth);
      case 'slice':
        return depth <= 0 ? [] : Array.from({ length: random.below(MAX_ITEMS) }, () => this.value(random, type.item, depth - 1));
      case 'map':
        return Object.fromEntries(
          Array.from({ length: random.below(MAX_ITEMS) }, () => [random.one(WORDS), this.value(random, type.item, depth - 1)]),
        );
      case 'struct':
        return depth <= 0 ? {} : this.#struct(random, type, depth);
      case 'special':
        return special(random, type.name);
    }
  }

  #struct(random: Random, struct: GoStruct, depth: number): JsonMap {
    const result: Record<string, Json> = {};
    for (const field of this.#types.fields(struct))
      if (random.chance(0.4)) setField(result, field, this.value(random, field.type, depth - 1));
    return result;
  }

  /** A body of `application/vnd.kubernetes.protobuf`. What JSON has and the type has not is left out. */
  protobuf(object: JsonMap, struct: GoStruct): Buffer {
    const { apiVersion = '', kind = '' } = object;
    const meta = Buffer.concat([bytesField(1, Buffer.from(textOf(apiVersion))), bytesField(2, Buffer.from(textOf(kind)))]);
    return Buffer.concat([Buffer.from('k8s\0'), bytesField(1, meta), bytesField(2, this.#message(object, struct))]);
  }

  #message(value: JsonMap, struct: GoStruct): Buffer {
    const parts = this.#types.fields(struct).flatMap(({ jsonName, type, protobufNumber, isInlined }) => {
      if (protobufNumber === undefined) return [];
      const item = isInlined ? value : Object.hasOwn(value, jsonName) ? value[jsonName] : undefined;
      return item === undefined || item === null ? [] : [this.#field(protobufNumber, type, item)];
    });
    return Buffer.concat(parts);
  }

  #field(number: number, type: GoType, value: Json): Buffer {
    switch (type.form) {
      case 'pointer':
        return this.#field(number, type.item, value);
      case 'slice':
        return Buffer.concat((Array.isArray(value) ? (value as readonly Json[]) : []).map((item) => this.#field(number, type.item, item)));
      case 'map':
        return Buffer.concat(
          Object.entries(isMap(value) ? value : {}).map(([key, item]) =>
            bytesField(number, Buffer.concat([bytesField(1, Buffer.from(key)), this.#field(2, type.item, item)])),
          ),
        );
      case 'struct':
        return bytesField(number, this.#message(isMap(value) ? value : {}, type));
      case 'bool':
      case 'int32':
      case 'int64':
        return Buffer.concat([
          varint(BigInt(number) << 3n),
          varint(typeof value === 'number' ? BigInt(Math.trunc(value)) : value === true ? 1n : 0n),
        ]);
      case 'float64': {
        const bytes = Buffer.alloc(8);
        bytes.writeDoubleLE(typeof value === 'number' ? value : 0);
        return Buffer.concat([varint((BigInt(number) << 3n) | 1n), bytes]);
      }
      case 'bytes':
        return bytesField(number, Buffer.from(textOf(value), 'base64'));
      case 'string':
        return bytesField(number, Buffer.from(textOf(value)));
      default:
        return bytesField(number, specialMessage(value));
    }
  }
}

function special(random: Random, name: string): Json {
  switch (name) {
    case 'meta/v1.Time':
    case 'meta/v1.MicroTime':
      return random.one([
        '2026-01-02T03:04:05Z',
        '2026-01-02T03:04:05.123456+02:00',
        'now',
        '',
        null,
        '0000-01-01T00:00:00Z',
        '99999-01-01T00:00:00Z',
      ]);
    case 'meta/v1.Duration':
      return random.one(['1h', '-5s', '1', '', '9999999999h', '1.5us']);
    case 'resource.Quantity':
      return random.one(['1', '100m', '1Gi', '-1', '1e3', '0.5', '1.0000000001', 'x', '', 5, '1E400', '9'.repeat(40), '5n']);
    case 'intstr.IntOrString':
      return random.one([80, '80', 'http', '50%', '-5%', 1.5, '', 2 ** 31]);
    default:
      return randomJson(random, 3);
  }
}

/** Quantities and durations hold a text or a number in their first field; others are taken to be JSON, which the reader may well refuse. */
function specialMessage(value: Json): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(1n << 3n), varint(0n), varint(2n << 3n), varint(BigInt(Math.trunc(value)))]);
  return bytesField(1, Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
}

/** What is not a text where one belongs is sent as the text of its JSON. */
const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Fields of an embedded struct are the outer one's. */
function setField(object: Record<string, Json>, { jsonName, isInlined }: GoField, value: Json): void {
  if (isInlined) Object.assign(object, isMap(value) ? value : {});
  else object[jsonName] = value;
}

function childOf(type: GoType): GoStruct | undefined {
  if (type.form === 'struct') return type;
  return type.form === 'pointer' || type.form === 'slice' ? childOf(type.item) : undefined;
}

function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isMapList(value: Json | undefined): value is readonly JsonMap[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMap);
}

function bytesField(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((BigInt(number) << 3n) | 2n), varint(BigInt(bytes.length)), bytes]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
