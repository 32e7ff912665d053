import {
  compareVersions,
  DNS_1035_LABEL,
  DNS_1123_SUBDOMAIN,
  LABEL_KEY,
  LABEL_VALUE,
  type NameRule,
  obeys,
  pluralize,
  type Scope,
} from '@keelson/kubernetes/apimachinery';
import { forNew, type Problem } from '../errors.js';
import type { CustomResourceModel } from '../model.js';
import { shown } from '../option-shape.js';
import type { CustomResourceOptions } from './options.js';

export type Names = Pick<
  CustomResourceModel,
  'group' | 'kind' | 'plural' | 'singular' | 'listKind' | 'shortNames' | 'categories' | 'scope' | 'labels' | 'annotations'
>;

export function namesOf(options: CustomResourceOptions<string, string, Scope>): Names {
  const { group, kind, scope = 'Namespaced', shortNames = [], categories = [], labels = {}, annotations = {} } = options;
  const singular = options.singular ?? kind.toLowerCase();
  return {
    group,
    kind,
    // From the kind, not from `singular`: as controller-gen does it.
    plural: options.plural ?? pluralize(kind.toLowerCase()),
    singular,
    listKind: options.listKind ?? `${kind}List`,
    shortNames: Object.freeze([...shortNames]),
    categories: Object.freeze([...categories]),
    scope,
    labels: Object.freeze({ ...labels }),
    annotations: Object.freeze({ ...annotations }),
  };
}

/** Names that the API server refuses, or that cannot be used. Source: apiextensions-apiserver, `pkg/apis/apiextensions/validation`. */
export function nameProblems(names: Names): Problem[] {
  const { group, kind, plural, singular, listKind } = names;
  return [
    ...groupProblems(names),
    ...kindProblems(kind, 'kind'),
    ...listKindProblems(names),
    ...(kind === listKind ? [{ path: 'listKind', message: `'${listKind}' is the kind itself; leave it out, it becomes ${kind}List` }] : []),
    ...broken(DNS_1035_LABEL, plural, 'plural'),
    ...broken(DNS_1035_LABEL, singular, 'singular'),
    ...broken({ ...DNS_1123_SUBDOMAIN, pattern: '' }, `${plural}.${group}`, 'plural'),
    ...listProblems(names),
    ...metadataProblems(names),
  ];
}

function groupProblems({ group, annotations }: Names): Problem[] {
  const problems = broken(DNS_1123_SUBDOMAIN, group, 'group');
  if (problems.length > 0) return problems;
  if (!group.includes('.'))
    return [{ path: 'group', message: `'${group}' has no dot; write a domain that you own, for example ${group}.example.com` }];
  const approval = annotations['api-approved.kubernetes.io'];
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(group) || (approval !== undefined && isApproval(approval))) return [];
  const found =
    approval === undefined ? 'belongs to the Kubernetes project' : `is approved by '${approval}', which is neither a URL nor 'unapproved…'`;
  return [
    {
      path: 'group',
      message: `'${group}' ${found}; use a domain that you own, or put the URL of the API review into the annotation api-approved.kubernetes.io`,
    },
  ];
}

/** Source: apiextensions-apiserver, `pkg/apihelpers` (`GetAPIApprovalState`). */
function isApproval(annotation: string): boolean {
  return annotation.startsWith('unapproved') || URL.canParse(annotation);
}

function kindProblems(kind: string, path: string): Problem[] {
  if (/^[A-Z][A-Za-z0-9]*$/.test(kind) && kind.length <= DNS_1035_LABEL.maxLength) return [];
  const message = `${shown(kind)} is not a kind; write letters and digits in CamelCase, at most ${DNS_1035_LABEL.maxLength}, for example Memcached`;
  return [obeys(DNS_1035_LABEL, kind.toLowerCase()) ? forNew({ path, message }) : { path, message }];
}

function listKindProblems({ kind, listKind }: Names): Problem[] {
  const isDerived = listKind === `${kind}List`;
  if (!isDerived) return kindProblems(listKind, 'listKind');
  const { maxLength } = DNS_1035_LABEL;
  // A derived one is as wrong as the kind itself: once is enough.
  if (listKind.length <= maxLength || kindProblems(kind, 'kind').length > 0) return [];
  const message = `'${listKind}' has ${listKind.length} characters; it must have at most ${maxLength}: write a shorter one, or shorten the kind`;
  return [{ path: 'listKind', message }];
}

function listProblems({ shortNames, categories, plural, singular }: Names): Problem[] {
  const short = shortNames.flatMap((name, index) => {
    const path = `shortNames[${index}]`;
    if (shortNames.indexOf(name) !== index) return [forNew({ path, message: `'${name}' is listed twice; leave one out` })];
    // The API server would take it and then answer to two names with one: kubectl could not show which.
    if (name === plural || name === singular)
      return [forNew({ path, message: `'${name}' is the ${name === plural ? 'plural' : 'singular'} already; leave it out` })];
    return broken(DNS_1035_LABEL, name, path);
  });
  const categorical = categories.flatMap((name, index) => {
    const path = `categories[${index}]`;
    return categories.indexOf(name) === index
      ? broken(DNS_1035_LABEL, name, path)
      : [forNew({ path, message: `'${name}' is listed twice; leave one out` })];
  });
  return [...short, ...categorical];
}

function metadataProblems({ labels, annotations }: Names): Problem[] {
  return [
    ...Object.entries(labels).flatMap(([key, value]) => [
      ...broken(LABEL_KEY, key, `labels.${key}`),
      ...broken(LABEL_VALUE, value, `labels.${key}`),
    ]),
    // The API server looks at the keys of annotations in lower case: it knows prefixes in upper case from its own past.
    ...Object.keys(annotations).flatMap((key) => (obeys(LABEL_KEY, key.toLowerCase()) ? [] : broken(LABEL_KEY, key, `annotations.${key}`))),
  ];
}

function broken(rule: NameRule, name: string, path: string): Problem[] {
  if (obeys(rule, name)) return [];
  if (name.length > rule.maxLength)
    return [{ path, message: `${shown(name)} has ${name.length} characters; it must have at most ${rule.maxLength}` }];
  return [{ path, message: `${shown(name)} must be ${rule.says}` }];
}

/** Checks the names of the versions, and which one is stored. */
export function versionNameProblems(
  versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[],
): Problem[] {
  if (versions.length === 0) return [{ path: 'versions', message: 'is empty; define at least one version, for example v1alpha1' }];
  const stored = versions.filter(({ storage }) => storage).map(({ name }) => name);
  const problems = versions.flatMap(({ name }) => broken(DNS_1035_LABEL, name, `versions.${name}`));
  if (stored.length === 0) problems.push({ path: 'versions', message: 'no version is stored; write storage: true in one of them' });
  if (stored.length > 1)
    problems.push({ path: 'versions', message: `${stored.join(' and ')} have storage: true; objects are stored in one version` });
  const unserved = versions.find(({ storage, served }) => storage && !served);
  if (unserved !== undefined) {
    problems.push({
      path: `versions.${unserved.name}.served`,
      message: 'is false for the stored version; controllers read that version, so it must be served',
    });
  }
  return problems;
}

/** The preferred version first, as discovery lists them. */
export function byPriority<T extends { readonly name: string }>(versions: readonly T[]): T[] {
  return [...versions].sort((left, right) => compareVersions(left.name, right.name));
}
