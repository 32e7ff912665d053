import { dns1123LabelProblems, dns1123SubdomainProblems, invalid, required } from '@keelson/kubernetes/apimachinery';
import { invalidEach } from './field-checks.js';
import { type Errors, those } from './rules.js';

/** Rules for host names and what is built of them. Source: apimachinery `pkg/util/validation/validation.go`. */
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const WILDCARD = `\\*\\.${LABEL}(\\.${LABEL})*`;

function wildcardProblems(host: string): readonly string[] {
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
  return [
    ...(host.length > 253 ? ['must be no more than 253 characters'] : []),
    ...(new RegExp(`^${WILDCARD}$`).test(host) ? [] : [`${rule} (e.g. '*.example.com', regex used for validation is '${WILDCARD}')`]),
  ];
}

/** A host name, or one with a wildcard in front. */
export function hostErrors(host: string, path: string): Errors {
  return invalidEach(path, host, host.includes('*') ? wildcardProblems(host) : dns1123SubdomainProblems(host));
}

/** At least two labels; a dot may end it. */
export function fullDomainErrors(text: string, path: string): Errors {
  if (text === '') return [required(path)];
  const name = text.replace(/\.$/, '');
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(','))];
  const labels = name.split('.');
  if (labels.length < 2) return [invalid(path, name, 'should be a domain with at least two segments separated by dots')];
  const [bad] = labels.filter((label) => dns1123LabelProblems(label).length > 0);
  return bad === undefined ? [] : [invalid(path, bad, dns1123LabelProblems(bad).join(','))];
}

const HTTP_PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** `example.com/path`. */
export function domainPathErrors(text: string, path: string): Errors {
  if (text === '') return [required(path)];
  const slash = text.indexOf('/');
  const [host, rest] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 1 || rest === '') return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  const isPath = new RegExp(`^${HTTP_PATH}$`).test(rest);
  return those(
    invalidEach(path, host, dns1123SubdomainProblems(host)),
    !isPath && invalid(path, rest, `Invalid path (regex used for validation is '${HTTP_PATH}')`),
  );
}
