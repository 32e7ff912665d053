import { DNS_1123_LABEL, DNS_1123_SUBDOMAIN, hasFormat, LABEL_KEY, LABEL_VALUE, type NameRule } from '@keelson/kubernetes/apimachinery';
import { z } from 'zod';
import { type KeelsonCheck, markCheck, withCheck } from '../marks.js';

function named(rule: NameRule): z.ZodString {
  return z
    .string()
    .max(rule.maxLength)
    .regex(new RegExp(rule.pattern), { error: `must be ${rule.says}` });
}

/**
 * A DNS-1123 label: at most 63 characters, for example the name of a namespace.
 *
 * @example
 * ```ts
 * z.object({ secretName: k.name() });
 * ```
 */
export function name(): z.ZodString {
  return named(DNS_1123_LABEL).min(1);
}

/**
 * A DNS-1123 subdomain: at most 253 characters, the name of most objects.
 *
 * @example
 * ```ts
 * z.object({ configMapName: k.subdomain() });
 * ```
 */
export function subdomain(): z.ZodString {
  return named(DNS_1123_SUBDOMAIN).min(1);
}

/**
 * A label's value: empty or at most 63 characters.
 *
 * @example
 * ```ts
 * z.object({ tier: k.labelValue().default('') });
 * ```
 */
export function labelValue(): z.ZodString {
  return named(LABEL_VALUE);
}

/**
 * A label's or annotation's key: `name` or `example.com/name`.
 *
 * @example
 * ```ts
 * z.object({ labels: z.record(k.labelKey(), k.labelValue()) });
 * ```
 */
export function labelKey(): z.ZodString {
  return named(LABEL_KEY).min(1);
}

/** Digits with units as Go writes durations. Both signs of micro are understood by Go; it prints U+00B5. */
const DURATION = /^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$/;

/**
 * A duration as Go writes it: `30s`, `1h30m`, `1.5h`. A pattern and not `format: duration`: the API server's format also takes `3 days`.
 *
 * @example
 * ```ts
 * z.object({ timeout: k.duration().default('30s') });
 * ```
 */
export function duration(): z.ZodString {
  return z.string().regex(DURATION, { error: "must be a duration, for example '30s' or '1h30m'" });
}

/**
 * A point in time, RFC 3339, with any offset: `2026-01-31T12:00:00Z` (`format: date-time`, as for `metav1.Time`).
 *
 * @example
 * ```ts
 * z.object({ notBefore: k.timestamp().optional() });
 * ```
 */
export function timestamp(): z.ZodString {
  return formatted('date-time');
}

const MICRO_TIME = /\.[0-9]{6}(Z|[+-][0-9]{2}:[0-9]{2})$/;

/**
 * A point in time with six digits of a second (`metav1.MicroTime`): `2026-01-31T12:00:00.000000Z`.
 *
 * @example
 * ```ts
 * z.object({ renewed: k.microTime().optional() });
 * ```
 */
export function microTime(): z.ZodString {
  return timestamp().regex(MICRO_TIME, { error: 'must carry six digits of a second' });
}

/**
 * Binary data in standard base64 (`format: byte`). Not empty: the API server's format refuses the empty string.
 *
 * Where a rule reads the field, as {@link immutable} does, write `z.base64()`: rules of the API server read the URL-safe alphabet, and fail at `+` and `/`.
 *
 * @example
 * ```ts
 * z.object({ caBundle: k.bytes() });
 * ```
 */
export function bytes(): z.ZodString {
  return formatted('byte').min(1);
}

/**
 * A string format that the API server knows, checked in JavaScript as the server checks it: `z.string().check(k.format('hostname'))`.
 *
 * An unknown format is refused when the definition is made: the server would ignore it in silence.
 *
 * @example
 * ```ts
 * z.object({ host: z.string().check(k.format('hostname')) });
 * ```
 */
export function format(format: string): KeelsonCheck<string> {
  return markCheck({ mark: 'format', format }, (value) => (hasFormat(format, value) ? undefined : `must be of format ${format}`));
}

function formatted(name: string): z.ZodString {
  return withCheck(z.string(), format(name));
}

/**
 * An e-mail address as Go's `net/mail` understands it.
 *
 * @example
 * ```ts
 * z.object({ contact: k.email() });
 * ```
 */
export function email(): z.ZodString {
  return formatted('email');
}

/**
 * An absolute URI or an absolute path.
 *
 * @example
 * ```ts
 * z.object({ endpoint: k.uri() });
 * ```
 */
export function uri(): z.ZodString {
  return formatted('uri');
}

/**
 * A UUID: `0f8fad5b-d9cb-469f-a165-70867728950e`.
 *
 * @example
 * ```ts
 * z.object({ tenant: k.uuid() });
 * ```
 */
export function uuid(): z.ZodString {
  return formatted('uuid');
}

/**
 * A host name, RFC 1034 and 1123.
 *
 * @example
 * ```ts
 * z.object({ host: k.hostname() });
 * ```
 */
export function hostname(): z.ZodString {
  return formatted('hostname');
}

/**
 * An IPv4 address: `10.0.0.1`.
 *
 * @example
 * ```ts
 * z.object({ address: k.ipv4() });
 * ```
 */
export function ipv4(): z.ZodString {
  return formatted('ipv4');
}

/**
 * An IPv6 address: `fd00::1`.
 *
 * @example
 * ```ts
 * z.object({ address: k.ipv6() });
 * ```
 */
export function ipv6(): z.ZodString {
  return formatted('ipv6');
}

/**
 * `10.0.0.0/8` or `fd00::/8`.
 *
 * @example
 * ```ts
 * z.object({ podCidr: k.cidr() });
 * ```
 */
export function cidr(): z.ZodString {
  return formatted('cidr');
}

/**
 * A hardware address of 6, 8 or 20 bytes.
 *
 * @example
 * ```ts
 * z.object({ hardware: k.mac() });
 * ```
 */
export function mac(): z.ZodString {
  return formatted('mac');
}

/**
 * A calendar date: `2026-01-31`.
 *
 * @example
 * ```ts
 * z.object({ expires: k.date().optional() });
 * ```
 */
export function date(): z.ZodString {
  return formatted('date');
}
