import { type FieldError, goQuote, invalid, isRequestUri, required } from '@keelson/kubernetes/apimachinery';
import type { Definition } from './definition.js';

const APPROVAL_ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

export interface Approval {
  readonly state: 'approved' | 'bypassed' | 'invalid' | 'missing';
  /** In the server's words. */
  readonly reason: string;
}

/** Groups that belong to the Kubernetes project itself. */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** Source: apiextensions-apiserver, `pkg/apihelpers/helpers.go`. */
export function approvalOf({ metadata }: Definition): Approval {
  const annotation = metadata.annotations?.[APPROVAL_ANNOTATION] ?? '';
  const demand = `protected groups must have approval annotation ${goQuote(APPROVAL_ANNOTATION)}`;
  if (annotation === '') return { state: 'missing', reason: `${demand}, ${SEE}` };
  if (annotation.startsWith('unapproved')) return { state: 'bypassed', reason: `not approved: ${goQuote(annotation)}` };
  if (isRequestUri(annotation) && /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?]/.test(annotation)) {
    return { state: 'approved', reason: `approved in ${annotation}` };
  }
  return { state: 'invalid', reason: `${demand} with either a URL or a reason starting with "unapproved", ${SEE}` };
}

/** A state that an update leaves as it was is not held against it. */
export function approvalErrors(definition: Definition, old: Definition | undefined): readonly FieldError[] {
  if (!isProtectedGroup(definition.spec.group)) return [];
  const { state, reason } = approvalOf(definition);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const path = `metadata.annotations[${APPROVAL_ANNOTATION}]`;
  if (state === 'invalid') return [invalid(path, definition.metadata.annotations?.[APPROVAL_ANNOTATION], reason)];
  return state === 'missing' ? [required(path, reason)] : [];
}
