import { dns1123LabelProblems, dns1123SubdomainProblems, maskTrailingDash, pathSegmentProblems } from '@keelson/kubernetes/apimachinery';

/**
 * Rules for names of objects; a prefix is what a generated name begins with.
 *
 * Source: apimachinery `pkg/api/validation/generic.go`, `path/name.go`.
 */
export type NameRule = (name: string, isPrefix: boolean) => readonly string[];

function completed(name: string, isPrefix: boolean): string {
  return isPrefix ? maskTrailingDash(name) : name;
}

export const labelNames: NameRule = (name, isPrefix) => dns1123LabelProblems(completed(name, isPrefix));

export const subdomainNames: NameRule = (name, isPrefix) => dns1123SubdomainProblems(completed(name, isPrefix));

/** All that a URL can carry: roles, some kinds of the control plane. */
export const pathNames: NameRule = (name, prefix) => pathSegmentProblems(name, { prefix });
