import { isRecord } from '@keelson/kubernetes/apimachinery';

/** One refused field, or one other detail of a refusal (`metav1.StatusCause`). */
export interface StatusCause {
  /** A word for programs, for example `FieldValueRequired`. */
  readonly reason?: string | undefined;
  /** A sentence for people. */
  readonly message?: string | undefined;
  /** Path of the field, for example `spec.template.spec.containers[0].image`. */
  readonly field?: string | undefined;
}

/** The API server's answer where it does not answer with an object (`metav1.Status`). */
export interface Status {
  /** Tells a Status from an object. */
  readonly kind: 'Status';
  /** `v1`. */
  readonly apiVersion?: string | undefined;
  /** `metav1.ListMeta`: the token of an expired list is in `continue`. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** `Success` or `Failure`. */
  readonly status?: string | undefined;
  /** The HTTP status code that the server suggests. */
  readonly code?: number | undefined;
  /** A word for programs, `metav1.StatusReason`: `NotFound`, `Conflict`, `Expired`. */
  readonly reason?: string | undefined;
  /** A sentence for people. */
  readonly message?: string | undefined;
  /** The object that the request was about, and the causes of a refusal. */
  readonly details?:
    | {
        readonly name?: string | undefined;
        readonly group?: string | undefined;
        /** Mostly a resource (`deployments`), in spite of its name. */
        readonly kind?: string | undefined;
        readonly uid?: string | undefined;
        readonly causes?: readonly StatusCause[] | null | undefined;
        readonly retryAfterSeconds?: number | undefined;
      }
    | null
    | undefined;
}

export function isStatus(body: unknown): body is Status {
  return typeof body === 'object' && body !== null && (body as { kind?: unknown }).kind === 'Status';
}

type FieldType = 'string' | 'number' | 'object';

const STATUS_FIELDS = {
  apiVersion: 'string',
  metadata: 'object',
  status: 'string',
  code: 'number',
  reason: 'string',
  message: 'string',
} as const;
const DETAILS_FIELDS = { name: 'string', group: 'string', kind: 'string', uid: 'string', retryAfterSeconds: 'number' } as const;
const CAUSE_FIELDS = { reason: 'string', message: 'string', field: 'string' } as const;

/** A Status that came over the wire, without what is of another type than it should be: a server in the place of an API server may write anything. */
export function statusOf(body: unknown): Status | undefined {
  if (!isStatus(body)) return undefined;
  const { details, ...status } = body;
  const known = typed(status, STATUS_FIELDS);
  return isRecord(details) ? { ...known, details: detailsOf(details) } : known;
}

function detailsOf(found: NonNullable<Status['details']>): NonNullable<Status['details']> {
  const { causes, ...details } = found;
  if (!Array.isArray(causes)) return typed(details, DETAILS_FIELDS);
  const readable = (causes as readonly StatusCause[]).filter(isRecord).map((cause) => typed(cause, CAUSE_FIELDS));
  return { ...typed(details, DETAILS_FIELDS), causes: readable };
}

function typed<T extends object>(fields: T, types: Readonly<Record<string, FieldType>>): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      const type = types[name];
      return type === undefined || isOf(type, value);
    }),
  ) as T;
}

function isOf(type: FieldType, value: unknown): boolean {
  if (type === 'object') return isRecord(value);
  return typeof value === type && (type === 'string' || (Number.isFinite(value) && (value as number) >= 0));
}
