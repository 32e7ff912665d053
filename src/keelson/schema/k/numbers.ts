import { z } from 'zod';

/**
 * A whole number of 32 bits. The schema carries `minimum` and `maximum`, because the API server does not check `format: int32`.
 *
 * @example
 * ```ts
 * z.object({ replicas: k.int32().min(0).default(1) });
 * ```
 */
export function int32(): z.ZodInt32 {
  return z.int32();
}

/**
 * A whole number between ±(2^53 - 1): what JSON in JavaScript holds without loss. Bigger numbers need a string.
 *
 * @example
 * ```ts
 * z.object({ bytes: k.int64().min(0) });
 * ```
 */
export function int64(): z.ZodInt {
  return z.int();
}

/**
 * A number of single precision (`format: float`), within its range.
 *
 * @example
 * ```ts
 * z.object({ ratio: k.float() });
 * ```
 */
export function float(): z.ZodFloat32 {
  return z.float32();
}

/**
 * A number of double precision (`format: double`). The API conventions advise against floating point in APIs: prefer {@link quantity} or a whole number of a smaller unit.
 *
 * @example
 * ```ts
 * z.object({ ratio: k.double() });
 * ```
 */
export function double(): z.ZodFloat64 {
  return z.float64();
}

/**
 * A TCP or UDP port: 1 to 65535.
 *
 * @example
 * ```ts
 * z.object({ port: k.port().default(11211) });
 * ```
 */
export function port(): z.ZodInt32 {
  return z.int32().min(1).max(65535);
}
