import { GoDecodeError, GoTypes } from '../../../../src/api-server/values/go-types/index.js';
import { Random } from '../apply/differential/random.js';
import { recordedKinds } from './recorded-kinds.js';

const types = new GoTypes();
const MAGIC = [0x6b, 0x38, 0x73, 0];

/** A length-delimited field. */
const field = (number: number, ...content: (number | string | readonly number[])[]): readonly number[] => {
  const bytes = content.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part)] : part));
  return [(number << 3) | 2, ...varint(bytes.length), ...bytes];
};

function varint(value: number): readonly number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}

const envelope = (apiVersion: string, kind: string, ...raw: (readonly number[])[]): Uint8Array =>
  Uint8Array.from([...MAGIC, ...field(1, field(1, apiVersion), field(2, kind)), ...field(2, raw.flat())]);

function problem(bytes: Uint8Array): string {
  try {
    types.decodeProtobuf(bytes);
  } catch (error) {
    if (GoDecodeError.isGoDecodeError(error)) return (error as GoDecodeError).message;
    throw error;
  }
  return 'no problem';
}

describe('protobuf', () => {
  test('parts of one message are one, and of scalars the last counts', () => {
    const twice = envelope('v1', 'ConfigMap', field(1, field(1, 'a')), field(1, field(3, 'n'), field(1, 'b')));
    expect(types.decodeProtobuf(twice).value).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'b', namespace: 'n' } });
  });

  test('entries of maps may lack a key or a value, and keys do not reach a prototype', () => {
    const { value } = types.decodeProtobuf(
      envelope('v1', 'Secret', field(2, field(1, '__proto__')), field(2, field(2, 'x')), field(2, [])),
    );
    expect(JSON.stringify(value)).toBe('{"kind":"Secret","apiVersion":"v1","metadata":{},"data":{"":"","__proto__":""}}');
    expect(Object.getPrototypeOf(value['data'])).toBe(Object.prototype);
  });

  test('numbers may be packed, and unknown fields and groups are passed over', () => {
    const ports = [...field(1, [80, 0x90, 0x3f]), 0x08, 0x51, 0xa3, 0x06, 0x08, 0x01, 0xa4, 0x06];
    expect(types.decodeProtobuf(envelope('v1', 'PodPortForwardOptions', ports)).value['ports']).toEqual([80, 8080, 81]);
  });

  test('a body without a kind has that of the request', () => {
    const bytes = Uint8Array.from([...MAGIC, ...field(2, [0x08, 0x00])]);
    const options = { group: 'apps', version: 'v1', kind: 'DeleteOptions' };
    expect(types.decodeProtobuf(bytes, options)).toEqual({
      apiVersion: 'apps/v1',
      kind: 'DeleteOptions',
      value: { kind: 'DeleteOptions', apiVersion: 'apps/v1', gracePeriodSeconds: 0 },
    });
  });

  test.each<[string, readonly number[], string]>([
    ['nothing', [], 'empty data'],
    ['JSON', [...Buffer.from('{}')], 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'],
    ['magic alone', MAGIC, 'empty body'],
    ['no kind', [...MAGIC, 0x12, 0], 'Object \'Kind\' is missing in \'runtime.TypeMeta{APIVersion:"", Kind:""}\''],
    [
      'an unknown kind',
      [...envelope('v1', 'Foo')],
      'no kind "Foo" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
    ['a length beyond the end', [...envelope('v1', 'Pod', [0x0a, 0x7f])], 'unexpected EOF'],
    [
      'a length of 2^63',
      [...envelope('v1', 'Pod', [0x0a, ...Array<number>(9).fill(0x80), 1])],
      'proto: negative length found during unmarshaling',
    ],
    ['a number of 80 bits', [...envelope('v1', 'Pod', Array<number>(12).fill(0xff))], 'proto: integer overflow'],
    ['an end without a group', [...envelope('v1', 'Pod', [0x0c])], 'proto: Pod: wiretype end group for non-group'],
    ['field 0', [...envelope('v1', 'Pod', [0x00])], 'proto: Pod: illegal tag 0 (wire type 0)'],
    ['a number for metadata', [...envelope('v1', 'Pod', [0x08, 1])], 'proto: wrong wireType = 0 for field ObjectMeta'],
    ['wire type 7', [...envelope('v1', 'Pod', [0xff, 0x01])], 'proto: illegal wireType 7'],
  ])('%s is refused in the words of the server', (_what, bytes, text) => {
    expect(problem(Uint8Array.from(bytes))).toBe(text);
  });

  test('a message of endless depth ends with an error, and a deep one in time', () => {
    const crdOf = (levels: number): Uint8Array => {
      let schema: readonly number[] = [];
      // Each level comes in two parts: whoever reads both and then their sum needs 2^200 steps.
      for (let depth = 0; depth < levels; depth += 1) schema = inTwoParts(28, schema);
      return envelope('apiextensions.k8s.io/v1', 'CustomResourceDefinition', field(2, field(7, field(4, field(1, schema)))));
    };
    expect(problem(crdOf(200))).toBe('no problem');
    expect(problem(crdOf(300))).toBe('proto: exceeded max depth');
  });
});

/** A field with a number above 15, first with its content and then empty. */
function inTwoParts(number: number, content: readonly number[]): readonly number[] {
  const tag = varint((number << 3) | 2);
  return [...tag, ...varint(content.length), ...content, ...tag, 0];
}

const kinds = recordedKinds();

describe('mutated protobuf', () => {
  test('ends in a value or in a GoDecodeError', () => {
    const random = new Random(Number(process.env['FUZZ_SEED'] ?? 1));
    const outcomes = { values: 0, refusals: 0 };
    for (let round = 0; round < 20_000; round += 1) {
      const { protobuf } = random.one(kinds);
      const text = problem(mutated(protobuf, random));
      if (text === 'no problem') outcomes.values += 1;
      else outcomes.refusals += 1;
    }
    expect(outcomes.values).toBeGreaterThan(2000);
    expect(outcomes.refusals).toBeGreaterThan(2000);
  });
});

function mutated(bytes: Buffer, random: Random): Uint8Array {
  const result = [...bytes];
  for (let count = random.below(3); count >= 0; count -= 1) {
    const at = 4 + random.below(random.chance(0.5) ? 120 : result.length);
    const change = random.below(5);
    if (change === 0) result.splice(at);
    else if (change === 1) result.splice(at, random.below(4));
    else if (change === 2) result.splice(at, 0, random.below(256));
    else if (change === 3) result[at] = random.below(256);
    else result[at] = (result[at] ?? 0) ^ (1 << random.below(8));
  }
  return Uint8Array.from(result);
}
