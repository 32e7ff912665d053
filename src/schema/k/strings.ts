import { z } from 'zod';
import { DNS_1123_LABEL, DNS_1123_SUBDOMAIN, hasFormat, LABEL_KEY, LABEL_VALUE, type NameRule } from '../../kubernetes/index.js';
import { type KeelsonCheck, markCheck, withCheck } from '../marks.js';

function named(rule: NameRule): z.ZodString {
  return z
    .string()
    .max(rule.maxLength)
    .regex(new RegExp(rule.pattern), { error: `must be ${rule.says}` });
}

/** A DNS-1123 label: at most 63 characters, for example the name of a namespace. */
export function name(): z.ZodString {
  return named(DNS_1123_LABEL).min(1);
}

/** A DNS-1123 subdomain: at most 253 characters, the name of most objects. */
export function subdomain(): z.ZodString {
  return named(DNS_1123_SUBDOMAIN).min(1);
}

/** A label's value: empty or at most 63 characters. */
export function labelValue(): z.ZodString {
  return named(LABEL_VALUE);
}

/** A label's or annotation's key: `name` or `example.com/name`. */
export function labelKey(): z.ZodString {
  return named(LABEL_KEY).min(1);
}

/** Digits with units as Go writes durations. Both signs of micro are understood by Go; it prints U+00B5. */
const DURATION = /^(0|([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+)$/;

/** A duration as Go writes it: `30s`, `1h30m`, `1.5h`. A pattern and not `format: duration`: the API server's format also takes `3 days`. */
export function duration(): z.ZodString {
  return z.string().regex(DURATION, { error: "must be a duration, for example '30s' or '1h30m'" });
}

/** A point in time, RFC 3339, with any offset: `2026-01-31T12:00:00Z` (`format: date-time`, as for `metav1.Time`). */
export function timestamp(): z.ZodString {
  return formatted('date-time');
}

const MICRO_TIME = /\.[0-9]{6}(Z|[+-][0-9]{2}:[0-9]{2})$/;

/** A point in time with six digits of a second (`metav1.MicroTime`): `2026-01-31T12:00:00.000000Z`. */
export function microTime(): z.ZodString {
  return timestamp().regex(MICRO_TIME, { error: 'must carry six digits of a second' });
}

/** Binary data in standard base64 (`format: byte`). Not empty: the API server's format refuses the empty string. */
export function bytes(): z.ZodString {
  return formatted('byte').min(1);
}

/**
 * A string format that the API server knows, checked in JavaScript as the server checks it: `z.string().check(k.format('hostname'))`.
 *
 * An unknown format is refused when the definition is made: the server would ignore it in silence.
 */
export function format(format: string): KeelsonCheck<string> {
  return markCheck({ mark: 'format', format }, (value) => (hasFormat(format, value) ? undefined : `must be of format ${format}`));
}

function formatted(name: string): z.ZodString {
  return withCheck(z.string(), format(name));
}

/** An e-mail address as Go's `net/mail` understands it. */
export function email(): z.ZodString {
  return formatted('email');
}

/** An absolute URI or an absolute path. */
export function uri(): z.ZodString {
  return formatted('uri');
}

export function uuid(): z.ZodString {
  return formatted('uuid');
}

/** A host name, RFC 1034 and 1123. */
export function hostname(): z.ZodString {
  return formatted('hostname');
}

export function ipv4(): z.ZodString {
  return formatted('ipv4');
}

export function ipv6(): z.ZodString {
  return formatted('ipv6');
}

/** `10.0.0.0/8` or `fd00::/8`. */
export function cidr(): z.ZodString {
  return formatted('cidr');
}

/** A hardware address of 6, 8 or 20 bytes. */
export function mac(): z.ZodString {
  return formatted('mac');
}

/** A calendar date: `2026-01-31`. */
export function date(): z.ZodString {
  return formatted('date');
}
