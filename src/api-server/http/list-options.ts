import { type FieldError, forbidden, notSupported, parseFieldSelector } from '@keelson/kubernetes/apimachinery';
import type { ListOptions, WatchOptions } from '../contract/index.js';
import { badRequest } from '../status/index.js';
import { integerParameter, plainParameter, truthParameter } from './query.js';
import { invalidOptions } from './write-options.js';

const MATCH = 'resourceVersionMatch';

/** `metav1.ListOptions` of a query, checked. */
export interface ListRequest {
  readonly isWatch: boolean;
  readonly timeoutSeconds: number | undefined;
  readonly list: ListOptions;
  readonly watch: WatchOptions;
}

interface Parameters {
  readonly isWatch: boolean;
  readonly match: string;
  readonly resourceVersion: string;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
}

/**
 * Source of the rules: apimachinery `pkg/apis/meta/internalversion/validation`.
 * @throws StatusError 400 for invalid numbers, 422 for options that contradict each other.
 */
export function listRequestOf(query: URLSearchParams, { isWatch: isForced = false }: { readonly isWatch?: boolean } = {}): ListRequest {
  const isWatch = isForced || truthParameter(query, 'watch') === true;
  const timeoutSeconds = integerParameter(query, 'timeoutSeconds');
  const limit = integerParameter(query, 'limit');
  const text = (name: string): string => plainParameter(query, name) ?? '';
  const sendInitialEvents = truthParameter(query, 'sendInitialEvents');
  const parameters = {
    isWatch,
    match: text(MATCH),
    resourceVersion: text('resourceVersion'),
    continue: text('continue'),
    sendInitialEvents,
  };
  const errors = isWatch ? watchErrors(withDefaults(parameters)) : listErrors(parameters);
  if (errors.length > 0) throw invalidOptions('ListOptions', errors);
  const shared = present({
    labelSelector: text('labelSelector'),
    fieldSelector: text('fieldSelector'),
    resourceVersion: parameters.resourceVersion,
    resourceVersionMatch: parameters.match,
  });
  const bookmarks = truthParameter(query, 'allowWatchBookmarks');
  return {
    isWatch,
    timeoutSeconds,
    list: { ...shared, ...(limit === undefined ? {} : { limit }), ...present({ continue: parameters.continue }) },
    watch: {
      ...shared,
      ...(bookmarks === undefined ? {} : { allowWatchBookmarks: bookmarks }),
      ...(sendInitialEvents === undefined ? {} : { sendInitialEvents }),
    },
  };
}

/** Only what is not empty: an empty parameter is as good as none. */
function present<const TName extends string>(texts: Readonly<Record<TName, string>>): { readonly [name in TName]?: string } {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as { [name in TName]?: string };
}

/** A watch from nowhere or from 0 begins with what there is: the server turns it into this form before it looks for contradictions. */
function withDefaults(parameters: Parameters): Parameters {
  const { resourceVersion, sendInitialEvents, match } = parameters;
  if (sendInitialEvents !== undefined || match !== '' || (resourceVersion !== '' && resourceVersion !== '0')) return parameters;
  return { ...parameters, sendInitialEvents: true, match: 'NotOlderThan' };
}

function listErrors({ match, resourceVersion, continue: token, sendInitialEvents }: Parameters): FieldError[] {
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (token !== '') errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && resourceVersion === '0')
      errors.push(forbidden(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (sendInitialEvents !== undefined) errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function watchErrors({ match, continue: token, sendInitialEvents }: Parameters): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan')
    errors.push(forbidden(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  if (match === '') return errors;
  if (sendInitialEvents === undefined)
    errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
  if (match !== 'NotOlderThan') errors.push(notSupported(MATCH, match, ['NotOlderThan']));
  if (token !== '') errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}

/**
 * A name in the path of a list or watch (`/watch/pods/x`) is a field selector.
 * @throws StatusError 400 when the query selects another name.
 */
export function selectName(options: Pick<ListOptions, 'fieldSelector'>, name: string): { readonly fieldSelector?: string } {
  if (name === '') return {};
  const { fieldSelector = '' } = options;
  if (fieldSelector === '') return { fieldSelector: `metadata.name=${name.replaceAll(/[\\,=]/g, '\\$&')}` };
  const parsed = parseFieldSelector(fieldSelector);
  // The list itself reports a selector that cannot be read.
  if ('problem' in parsed) return {};
  const selected = parsed.requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=');
  if (selected?.value !== name) throw badRequest("fieldSelector metadata.name doesn't match requested name");
  return {};
}
