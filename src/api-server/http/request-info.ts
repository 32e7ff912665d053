import { parseFieldSelector, pathSegmentProblems } from '@keelson/kubernetes/apimachinery';
import { plainParameter, truthParameter } from './query.js';

/** The subject of a request, as authorization, the log and the routes see it. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** Percent escapes resolved. */
  readonly path: string;
  /** `get`, `list`, `watch`, `create`, … ; of other paths the method in lower case; `''` of a method without meaning for resources. */
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** For `namespaces/x` it is `x`. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** Also of a list or watch with the field selector `metadata.name=x`. */
  readonly name: string;
  /** Resource, name, subresource and what follows. */
  readonly parts: readonly string[];
  /** The old form `/api/v1/watch/…`. */
  readonly hasWatchPrefix: boolean;
}

export interface RequestLine {
  readonly method: string;
  /** Percent escapes resolved. */
  readonly path: string;
  readonly query: URLSearchParams;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);
const NUMBER_PARAMETERS = ['limit', 'timeoutSeconds'] as const;

/**
 * Takes a request line apart.
 *
 * Source: apiserver `pkg/endpoints/request/requestinfo.go`.
 * @returns undefined for `/api/v1/watch` and `/api/v1/proxy` with nothing behind, which the server cannot make sense of.
 */
export function requestInfoOf(line: RequestLine): RequestInfo | undefined {
  const { method, path } = line;
  const other = pathInfo(method, path);
  const [prefix = '', ...rest] = partsOf(path);
  if (prefix !== 'api' && prefix !== 'apis') return other;
  const group = prefix === 'api' ? '' : (rest.shift() ?? '');
  const [version, ...parts] = rest;
  if (version === undefined || parts.length === 0) return other;
  const special = parts[0] === 'watch' || parts[0] === 'proxy' ? parts.shift() : undefined;
  if (parts.length === 0) return undefined;
  const verb = special ?? VERBS[method] ?? '';
  const about = withNames(line, {
    ...other,
    isResourceRequest: true,
    group,
    version,
    verb,
    ...subjectOf(parts, verb),
    hasWatchPrefix: special === 'watch',
  });
  return about;
}

/** About a path that is not a resource's. */
export function pathInfo(method: string, path: string): RequestInfo {
  return { ...NOTHING, path, verb: method.toLowerCase() };
}

const NOTHING: RequestInfo = {
  isResourceRequest: false,
  path: '',
  verb: '',
  group: '',
  version: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  parts: [],
  hasWatchPrefix: false,
};

function partsOf(path: string): string[] {
  const trimmed = path.replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? [] : trimmed.split('/');
}

type Subject = Pick<RequestInfo, 'namespace' | 'parts' | 'resource' | 'name' | 'subresource'>;

function subjectOf(all: readonly string[], verb: string): Subject {
  const namespace = all[0] === 'namespaces' ? (all[1] ?? '') : '';
  const isWithin = all[0] === 'namespaces' && all.length > 2 && !NAMESPACE_SUBRESOURCES.has(all[2] as string);
  const parts = isWithin ? all.slice(2) : all;
  const [resource = '', name = '', subresource = ''] = parts;
  return { namespace, parts, resource, name, subresource: verb === 'proxy' ? '' : subresource };
}

/** Without a name, `get` is a list or a watch and `delete` is of the collection. */
function withNames({ query }: RequestLine, info: RequestInfo): RequestInfo {
  if (info.name !== '') return info;
  if (info.verb === 'get') {
    const isReadable = NUMBER_PARAMETERS.every((name) => /^[-+]?[0-9]+$/.test(plainParameter(query, name) ?? '0'));
    const verb = truthParameter(query, 'watch') === true ? 'watch' : 'list';
    return { ...info, verb, name: isReadable ? selectedName(plainParameter(query, 'fieldSelector')) : '' };
  }
  return info.verb === 'delete' ? { ...info, verb: 'deletecollection' } : info;
}

function selectedName(fieldSelector: string | undefined): string {
  if (!fieldSelector?.includes('metadata.name')) return '';
  const parsed = parseFieldSelector(fieldSelector);
  if (!('requirements' in parsed)) return '';
  const exact = parsed.requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=');
  return exact === undefined || pathSegmentProblems(exact.value).length > 0 ? '' : exact.value;
}
