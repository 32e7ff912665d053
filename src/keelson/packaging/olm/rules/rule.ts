import type { BundleContents, BundleObject, Fields } from '../bundle-contents.js';

/** Something about a bundle that keeps it from being installed (`error`), or from being listed or upgraded well (`warning`). */
export interface BundleProblem {
  /** Name of the rule, for example `crd-owned`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  /** File of the bundle. */
  readonly path: string;
  /** Field, problem and remedy in a sentence. */
  readonly message: string;
}

/** A rule and how it finds its problems: each a message, with another file than the ClusterServiceVersion's where it is about that. */
export interface BundleRule {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  readonly check: (subject: RuleSubject) => readonly (string | { readonly path: string; readonly message: string })[];
}

export interface RuleSubject {
  readonly contents: BundleContents;
  readonly csv: Fields;
  readonly spec: Fields;
  readonly crds: readonly BundleObject[];
}

export const error = (rule: string, check: BundleRule['check']): BundleRule => ({ rule, severity: 'error', check });
export const warning = (rule: string, check: BundleRule['check']): BundleRule => ({ rule, severity: 'warning', check });

/** A message if a condition holds. */
export const when = (condition: boolean, message: string): readonly string[] => (condition ? [message] : []);

/** Whether a rule of RBAC gives one of the verbs on the resource. */
export function grants(rule: Fields, group: string, resource: string, verbs: readonly string[]): boolean {
  const has = (field: string, ...values: readonly string[]): boolean => {
    const list = rule[field];
    return Array.isArray(list) && values.some((value) => list.includes(value));
  };
  return has('apiGroups', group, '*') && has('resources', resource, '*') && has('verbs', '*', ...verbs);
}
