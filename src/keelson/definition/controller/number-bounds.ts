import type { NumberBounds } from '../model.js';

interface CheckDef {
  readonly check?: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly format?: string;
}

interface NumberNode {
  readonly _zod: { readonly def: Readonly<Record<string, unknown>> };
}

interface NumberDef extends CheckDef {
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDef } }[];
}

const INTEGERS: readonly string[] = ['safeint', 'int32', 'uint32'];

/** The bounds that a number of zod declares; the narrowest of several. `undefined` if it declares none. */
export function numberBoundsOf({ _zod }: NumberNode): NumberBounds | undefined {
  const def: NumberDef = _zod.def;
  // z.int() is its own check; z.number().int() has it among its checks.
  const checks = [def, ...(def.checks ?? []).map(({ _zod }) => _zod.def)];
  const isInteger = checks.some(({ check, format = '' }) => check === 'number_format' && INTEGERS.includes(format));
  const values = (name: string, isInclusive: boolean): number[] =>
    checks.flatMap(({ check, value, inclusive = false }) => (check === name && inclusive === isInclusive ? [Number(value)] : []));
  const unsigned = checks.some(({ format }) => format === 'uint32') ? [0] : [];
  const bounds = {
    ...narrowest('minimum', Math.max, [...values('greater_than', true), ...unsigned]),
    ...narrowest('exclusiveMinimum', Math.max, values('greater_than', false)),
    ...narrowest('maximum', Math.min, values('less_than', true)),
    ...narrowest('exclusiveMaximum', Math.min, values('less_than', false)),
    ...(isInteger ? { isInteger } : {}),
  };
  return Object.keys(bounds).length === 0 ? undefined : Object.freeze(bounds);
}

function narrowest(name: keyof NumberBounds, choose: (...values: number[]) => number, values: readonly number[]): NumberBounds {
  return values.length === 0 ? {} : { [name]: choose(...values) };
}
