import { channel } from 'node:diagnostics_channel';
import { groupVersionOf, type Json } from '@keelson/kubernetes/apimachinery';
import { withoutCredentials } from '../masking/index.js';
import type { AdmissionRequest } from './admission-request.js';
import { describeObject, textIn } from './json-record.js';

/** Calls of webhooks and conversions that were answered, for tools in the same process: `keelson dev` listens. */
export const REVIEW_CHANNEL = 'keelson:review';
const ANSWERED = channel(REVIEW_CHANNEL);

/** Most objects of a conversion that are named: a list may have thousands. */
const MOST = 100;
const LONGEST_MESSAGE = 1_000;

/** A call that was answered; no field of the object. Credentials in messages are masked. */
export interface AnsweredReview {
  /** The name of the webhook, or `conversion`. */
  readonly webhook: string;
  /** `Memcached shop/sessions`; at most 100 of a conversion. */
  readonly objects: readonly string[];
  /** `CREATE`, or `v1 → v2` of a conversion. */
  readonly operation: string;
  /** The user whose request it is; the API server does not say so for conversions. */
  readonly user: string | undefined;
  readonly isDryRun: boolean;
  /** `failed`: the handler threw, and the failure policy of the webhook decided. */
  readonly result: 'allowed' | 'changed' | 'refused' | 'converted' | 'failed';
  readonly message: string | undefined;
  readonly warnings: readonly string[];
  readonly tookMs: number;
}

interface Outcome {
  /** The members of the review's `response` beside its uid; `undefined` for a call that failed. */
  readonly response?: { readonly [field: string]: Json } | undefined;
  /** The text of the error of a call that failed. */
  readonly error?: unknown;
  readonly tookMs: number;
}

/** Costs nothing when no tool listens. */
export function publishAdmission(webhook: string, request: AdmissionRequest, { response, error, tookMs }: Outcome): void {
  if (!ANSWERED.hasSubscribers) return;
  const { operation, name, userInfo, dryRun, object, oldObject } = request;
  const { allowed, patch, status, warnings } = (response ?? {}) as {
    readonly allowed?: boolean;
    readonly patch?: string;
    readonly status?: { readonly message?: string };
    readonly warnings?: readonly string[];
  };
  publish({
    webhook,
    objects: [describeObject(object ?? oldObject, name)],
    operation,
    user: userInfo.username,
    isDryRun: dryRun,
    result: response === undefined ? 'failed' : allowed === true ? (patch === undefined ? 'allowed' : 'changed') : 'refused',
    message: response === undefined ? String(error) : status?.message,
    warnings: warnings ?? [],
    tookMs,
  });
}

interface Conversion {
  readonly objects: readonly Json[];
  readonly version: string;
}

/** Costs nothing when no tool listens. */
export function publishConversion({ objects, version }: Conversion, { response, tookMs }: Outcome): void {
  if (!ANSWERED.hasSubscribers) return;
  const { result } = (response ?? {}) as { readonly result?: { readonly status?: string; readonly message?: string } };
  publish({
    webhook: 'conversion',
    objects: objects.slice(0, MOST).map((object) => describeObject(object)),
    operation: `${groupVersionOf(textIn(objects[0], 'apiVersion')).version} → ${version}`,
    user: undefined,
    isDryRun: false,
    result: result?.status === 'Success' ? 'converted' : 'failed',
    message: result?.message,
    warnings: [],
    tookMs,
  });
}

function publish(review: AnsweredReview): void {
  const masked = (text: string): string => withoutCredentials(text.slice(0, LONGEST_MESSAGE));
  const { message, warnings } = review;
  ANSWERED.publish({ ...review, message: message === undefined ? undefined : masked(message), warnings: warnings.map(masked) });
}
