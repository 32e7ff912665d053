import { goDurationOf } from '../../apimachinery/index.js';
import {
  type CelDuration,
  type CelOpaque,
  type CelTimestamp,
  type CelUint,
  type CelValue,
  celError,
  checkedInt,
  checkedTimestamp,
  checkedUint,
  durationOf,
  formatDouble,
  formatDuration,
  formatTimestamp,
  type Implementation,
  kindOf,
  parseTimestamp,
  typeNameOf,
} from '../values/index.js';

const SECOND = 1_000_000_000n;

function toInt(value: CelValue): CelValue | undefined {
  switch (kindOf(value)) {
    case 'int':
      return value;
    case 'uint':
      return checkedInt((value as CelUint).value);
    case 'double':
      return Number.isFinite(value) && Math.abs(value as number) < 2 ** 63
        ? checkedInt(BigInt(Math.trunc(value as number)))
        : celError('integer overflow');
    case 'string':
      return /^[+-]?[0-9]+$/.test(value as string) ? checkedParse(value as string) : conversionError(value, 'int');
    case 'timestamp':
      return floorDivide((value as CelTimestamp).nanoseconds, SECOND);
    case 'duration':
      return (value as CelDuration).nanoseconds;
    default:
      return undefined;
  }
}

function checkedParse(text: string): CelValue {
  const value = checkedInt(BigInt(text.replace(/^\+/, '')));
  return typeof value === 'bigint' ? value : conversionError(text, 'int');
}

export function floorDivide(a: bigint, b: bigint): bigint {
  return a < 0n && a % b !== 0n ? a / b - 1n : a / b;
}

function conversionError(value: CelValue, to: string): CelValue {
  return celError(`type conversion error from '${typeNameOf(value)}' to '${to}'`);
}

function toUint(value: CelValue): CelValue | undefined {
  switch (kindOf(value)) {
    case 'uint':
      return value;
    case 'int':
      return checkedUint(value as bigint);
    case 'double':
      return Number.isFinite(value) && (value as number) < 2 ** 64
        ? checkedUint(BigInt(Math.trunc(value as number)))
        : celError('unsigned integer overflow');
    case 'string': {
      if (!/^[0-9]+$/.test(value as string)) return conversionError(value, 'uint');
      const parsed = checkedUint(BigInt(value as string));
      return kindOf(parsed) === 'uint' ? parsed : conversionError(value, 'uint');
    }
    default:
      return undefined;
  }
}

function toDouble(value: CelValue): CelValue | undefined {
  switch (kindOf(value)) {
    case 'double':
      return value;
    case 'int':
      return Number(value);
    case 'uint':
      return Number((value as CelUint).value);
    case 'string': {
      const text = value as string;
      if (/^[+-]?(?:inf|infinity)$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
      if (/^nan$/i.test(text)) return Number.NaN;
      return /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text) && Number.isFinite(Number(text))
        ? Number(text)
        : conversionError(value, 'double');
    }
    default:
      return undefined;
  }
}

function toText(value: CelValue): CelValue | undefined {
  switch (kindOf(value)) {
    case 'string':
      return value;
    case 'bool':
    case 'int':
      return String(value);
    case 'uint':
      return String((value as CelUint).value);
    case 'double':
      return formatDouble(value as number);
    case 'bytes':
      return decode(value as Uint8Array);
    case 'timestamp':
      return formatTimestamp((value as CelTimestamp).nanoseconds);
    case 'duration':
      return formatDuration((value as CelDuration).nanoseconds);
    case 'opaque':
      return opaqueText(value as CelOpaque);
    default:
      return undefined;
  }
}

function opaqueText({ typeName, data }: CelOpaque): CelValue | undefined {
  return typeName === 'net.IP' || typeName === 'net.CIDR' ? String(data) : undefined;
}

function decode(bytes: Uint8Array): CelValue {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return celError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const TRUE_TEXTS = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const FALSE_TEXTS = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

function toBool(value: CelValue): CelValue | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return undefined;
  return TRUE_TEXTS.includes(value) ? true : FALSE_TEXTS.includes(value) ? false : conversionError(value, 'bool');
}

function toBytes(value: CelValue): CelValue | undefined {
  return typeof value === 'string' ? new TextEncoder().encode(value) : kindOf(value) === 'bytes' ? value : undefined;
}

function toTimestamp(value: CelValue): CelValue | undefined {
  if (kindOf(value) === 'timestamp') return value;
  if (typeof value === 'bigint') return checkedTimestamp(value * SECOND);
  if (typeof value !== 'string') return undefined;
  const nanoseconds = parseTimestamp(value);
  return nanoseconds === undefined ? conversionError(value, 'google.protobuf.Timestamp') : checkedTimestamp(nanoseconds);
}

function toDuration(value: CelValue): CelValue | undefined {
  if (kindOf(value) === 'duration') return value;
  if (typeof value !== 'string') return undefined;
  const nanoseconds = goDurationOf(value);
  return nanoseconds === undefined ? conversionError(value, 'google.protobuf.Duration') : durationOf(nanoseconds);
}

const unary = (convert: (value: CelValue) => CelValue | undefined): Implementation => {
  return ([value]) => (value === undefined ? undefined : convert(value));
};

export const CONVERSIONS: Readonly<Record<string, Implementation>> = {
  int: unary(toInt),
  uint: unary(toUint),
  double: unary(toDouble),
  string: unary(toText),
  bool: unary(toBool),
  bytes: unary(toBytes),
  timestamp: unary(toTimestamp),
  duration: unary(toDuration),
  dyn: unary((value) => value),
  type: unary((value) => ({ kind: 'type', name: typeNameOf(value) })),
};
