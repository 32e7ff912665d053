import { DNS_1123_SUBDOMAIN, type NameRule, obeys } from '@keelson/kubernetes/apimachinery';
import type { Construct } from 'constructs';
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

/**
 * Refuses tokens of cdk8s in options that keelson decides by: their values are known only when the app is synthesized. `instanceof` would miss another copy of cdk8s.
 *
 * @throws ConstructError for the first option that is one
 */
export function refuseLazy(scope: Construct, options: Readonly<Record<string, unknown>>): void {
  const lazy = Object.keys(options).find((name) => {
    const value = options[name];
    return typeof value === 'object' && value !== null && value.constructor?.name === 'Lazy';
  });
  if (lazy === undefined) return;
  throw new ConstructError(scope, `${lazy} is a Lazy, whose value is not known yet; keelson checks ${lazy} now: pass the value itself`);
}
