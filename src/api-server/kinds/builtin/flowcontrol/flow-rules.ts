import { dns1123LabelProblems, forbidden, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import { dnsLabel, dnsSubdomain, type Errors, those } from '../checks/index.js';
import type { FlowSchemaSpec } from '../drafts.js';

type Rule = NonNullable<FlowSchemaSpec['rules']>[number];
type Subject = Rule['subjects'][number];

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

/** Which requests a FlowSchema means. Source: kubernetes `pkg/apis/flowcontrol/validation`. */
export function flowRuleErrors(rule: Rule, path: string): Errors {
  const subjects = rule.subjects ?? [];
  const resourceRules = rule.resourceRules ?? [];
  const nonResourceRules = rule.nonResourceRules ?? [];
  const isEmpty = resourceRules.length === 0 && nonResourceRules.length === 0;
  return those(
    subjects.length === 0 && required(`${path}.subjects`, 'subjects must contain at least one value'),
    subjects.flatMap((subject, index) => subjectErrors(subject, `${path}.subjects[${index}]`)),
    isEmpty && required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'),
    resourceRules.flatMap((one, index) => resourceErrors(one, `${path}.resourceRules[${index}]`)),
    nonResourceRules.flatMap((one, index) => nonResourceErrors(one, `${path}.nonResourceRules[${index}]`)),
  );
}

const KINDS = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const;

function subjectErrors(subject: Subject, path: string): Errors {
  const { kind } = subject;
  if (!Object.hasOwn(KINDS, kind)) return [notSupported(`${path}.kind`, kind, Object.keys(KINDS).sort())];
  const own = KINDS[kind as keyof typeof KINDS];
  const named = subject[own];
  const others = Object.entries(KINDS).filter(([, field]) => field !== own && subject[field] !== undefined);
  return those(
    named === undefined && required(`${path}.${own}`, `${own} is required when subject kind is '${kind}'`),
    named?.name === '' && required(`${path}.${own}.name`),
    kind === 'ServiceAccount' && subject.serviceAccount !== undefined && accountErrors(subject.serviceAccount, `${path}.serviceAccount`),
    others.map(([other, field]) => forbidden(`${path}.${field}`, `${field} is forbidden when subject kind is not '${other}'`)),
  );
}

function accountErrors({ name, namespace }: NonNullable<Subject['serviceAccount']>, path: string): Errors {
  return those(
    !(name === '' || name === '*') && dnsSubdomain(name, `${path}.name`),
    namespace === ''
      ? [required(`${path}.namespace`, 'must specify namespace for service account')]
      : dnsLabel(namespace, `${path}.namespace`),
  );
}

/** A list in which `*` stands alone. */
function lonely(list: readonly string[], what: string, path: string): Errors {
  return list.length > 1 && list.includes('*') ? [invalid(path, list, `if '*' is present, must not specify other ${what}`)] : [];
}

function verbErrors(verbs: readonly string[], path: string): Errors {
  if (verbs.length === 0) return [required(path, 'verbs must contain at least one value')];
  if (verbs.includes('*')) return lonely(verbs, 'verbs', path);
  return verbs.every((verb) => VERBS.includes(verb)) ? [] : [notSupported(path, verbs, VERBS)];
}

function resourceErrors(rule: NonNullable<Rule['resourceRules']>[number], path: string): Errors {
  const { clusterScope = false } = rule;
  const groups = rule.apiGroups ?? [];
  const resources = rule.resources ?? [];
  const namespaces = rule.namespaces ?? [];
  const place = `${path}.namespaces`;
  const none = 'resource rules that are not cluster scoped must supply at least one namespace';
  const intro = "each member of this list must be '*' or a DNS-1123 label; ";
  return those(
    verbErrors(rule.verbs ?? [], `${path}.verbs`),
    groups.length === 0 && required(`${path}.apiGroups`, 'resource rules must supply at least one api group'),
    lonely(groups, 'api groups', `${path}.apiGroups`),
    resources.length === 0 && required(`${path}.resources`, 'resource rules must supply at least one resource'),
    lonely(resources, 'resources', `${path}.resources`),
    namespaces.length === 0 && !clusterScope && required(place, none),
    lonely(namespaces, 'namespaces', place),
    !namespaces.includes('*') &&
      namespaces.flatMap((name, index) =>
        dns1123LabelProblems(name).map((problem) => invalid(`${place}[${index}]`, name, `${intro}${problem}`)),
      ),
  );
}

function nonResourceErrors(rule: NonNullable<Rule['nonResourceRules']>[number], path: string): Errors {
  const urls = rule.nonResourceURLs ?? [];
  const field = `${path}.nonResourceURLs`;
  return those(
    verbErrors(rule.verbs ?? [], `${path}.verbs`),
    urls.length === 0 && required(field, 'nonResourceURLs must contain at least one value'),
    lonely(urls, 'non-resource URLs', field),
    !urls.includes('*') && urls.flatMap((url, index) => urlErrors(url, `${field}[${index}]`)),
  );
}

const isMisplaced = (url: string): boolean => url.indexOf('*') !== -1 && url.indexOf('*') !== url.length - 1;

/** The first that holds is reported. */
const URL_PROBLEMS: readonly (readonly [isBad: (url: string) => boolean, text: string])[] = [
  [(url) => url === '', 'must not be empty'],
  [(url) => !url.startsWith('/'), 'must start with slash'],
  [(url) => url.includes(' '), 'must not contain white-space'],
  [(url) => url.includes('//'), 'must not contain double slash'],
  [(url) => isMisplaced(url) || /[^/]\*$/.test(url), 'wildcard can only do suffix matching'],
];

function urlErrors(url: string, path: string): Errors {
  const [, text] = URL_PROBLEMS.find(([isBad]) => isBad(url)) ?? [];
  return those(text !== undefined && invalid(path, url, text));
}
