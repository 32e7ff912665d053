import type { Construct } from 'constructs';
import { DNS_1123_SUBDOMAIN, type NameRule, obeys } from '../../kubernetes/index.js';
import { ConstructError } from './construct-error.js';

/** Untyped code passes `undefined` where a name belongs; as text that would be a valid one. */
export function isName(rule: NameRule, name: unknown): boolean {
  return typeof name === 'string' && obeys(rule, name);
}

/** @throws ConstructError when it is not a name of a ServiceAccount */
export function serviceAccountName(scope: Construct, { name }: { readonly name: string }): string {
  if (isName(DNS_1123_SUBDOMAIN, name)) return name;
  throw new ConstructError(scope, `serviceAccount.name: '${String(name ?? '')}' must be ${DNS_1123_SUBDOMAIN.says}`);
}
