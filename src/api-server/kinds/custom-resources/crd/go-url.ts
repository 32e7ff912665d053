import { goQuote } from '@keelson/kubernetes/apimachinery';

export interface GoUrl {
  readonly scheme: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly query: string;
  readonly fragment: string;
}

/**
 * Go's `url.Parse`, as far as it splits a webhook's address into parts.
 *
 * @returns a text where it does not parse, as Go's error says it.
 */
export function parseGoUrl(text: string): GoUrl | string {
  const refused = (reason: string) => `parse ${goQuote(text)}: ${reason}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses them first of all
  if (/[\u0000-\u001f\u007f]/.test(text)) return refused('net/url: invalid control character in URL');
  const [beforeFragment = '', ...fragments] = text.split('#');
  if (beforeFragment.startsWith(':')) return refused('missing protocol scheme');
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(beforeFragment)?.[0] ?? '';
  const afterScheme = scheme === '' ? beforeFragment : beforeFragment.slice(scheme.length + 1);
  const [rest = '', ...queries] = afterScheme.split('?');
  const parts = { scheme: scheme.toLowerCase(), query: queries.join('?'), fragment: fragments.join('#') };
  if (!rest.startsWith('/') && scheme !== '') return { ...parts, user: undefined, host: '' };
  if (!rest.startsWith('/') && (rest.split('/')[0] ?? '').includes(':')) return refused('first path segment in URL cannot contain colon');
  const authority = rest.startsWith('//') && !rest.startsWith('///') ? (/^\/\/([^/]*)/.exec(rest)?.[1] ?? '') : '';
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const problem = hostProblem(host) ?? escapeProblem(rest.slice(authority === '' ? 0 : authority.length + 2));
  return problem === undefined ? { ...parts, user: at < 0 ? undefined : authority.slice(0, at), host } : refused(problem);
}

function hostProblem(host: string): string | undefined {
  if (host.startsWith('[') && !host.includes(']')) return "missing ']' in host";
  const colon = host.startsWith('[') ? host.indexOf(']') + 1 : host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon);
  if (!/^(:\d*)?$/.test(port)) return `invalid port ${goQuote(port)} after host`;
  const strange = /[^A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.exec(host)?.[0];
  return strange === undefined ? escapeProblem(host) : `invalid character ${goQuote(strange)} in host name`;
}

function escapeProblem(text: string): string | undefined {
  const broken = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(text)?.[0];
  return broken === undefined ? undefined : `invalid URL escape ${goQuote(broken)}`;
}
