import { type Status, statusBody } from '../status/index.js';
import { jsonText, prettyJsonText, yamlText } from '../values/index.js';
import type { Answer } from './answer.js';
import { listText, objectText, type TextOptions } from './answer-text.js';
import type { CachedTexts } from './cached-texts.js';
import type { DocumentAnswer } from './document.js';
import { headerOf } from './incoming.js';
import { negotiate, negotiateOrRefuse, type OutputMediaType } from './media-types.js';
import type { PlainAnswer } from './plain-answer.js';
import { strictTruth } from './query.js';
import type { Head } from './reply.js';
import type { ReceivedRequest } from './served-request.js';
import { includeObjectOf } from './table.js';

export const PLAIN_TEXT = 'text/plain; charset=utf-8';
const NO_SNIFF = { 'X-Content-Type-Options': 'nosniff' };
const CONTENT_TYPES = { json: 'application/json', yaml: 'application/yaml' } as const;

/** An answer in the form that the client wants, ready to be sent. Pieces are made while they are sent. */
export type Rendered =
  | { readonly head: Head; readonly body: string | Uint8Array }
  | { readonly head: Head; readonly pieces: Iterable<string> };

/** The parts of a request that decide the form of its answer. */
type Wishes = Pick<ReceivedRequest, 'accept' | 'message' | 'query'>;

/** A Status in the client's format; as indented JSON if the client accepts none. */
export function renderedStatus(
  { journal, ...wishes }: Wishes & Pick<ReceivedRequest, 'journal'>,
  status: Status,
  headers: Readonly<Record<string, string>> = {},
): Rendered {
  const media = negotiate(wishes.accept, { allowsTransformation: false });
  const retryAfter = status.details?.retryAfterSeconds ?? 0;
  const all = {
    // A refusal of impersonation or authorization carries `nosniff`; a later one does not.
    ...((status.code === 403 || status.code === 400) && journal.isBeingAdmitted ? NO_SNIFF : {}),
    ...(retryAfter > 0 ? { 'Retry-After': String(retryAfter) } : {}),
    ...headers,
  };
  const body = statusBody(status);
  const head = { code: status.code, contentType: CONTENT_TYPES[media?.format ?? 'json'], headers: all };
  return { head, body: media === undefined ? prettyJsonText(body) : textOf(wishes, jsonText(body), media) };
}

export function renderedPlain({ httpCode, text, isEarly }: PlainAnswer): Rendered {
  return { head: { code: httpCode, contentType: PLAIN_TEXT, headers: NO_SNIFF, hasNoCacheControl: isEarly }, body: text };
}

/** @throws StatusError 406 */
export function renderedDocument(wishes: Wishes, answer: DocumentAnswer): Rendered {
  if (!('object' in answer)) {
    const { status: code, headers, body, isNeverCompressed = false } = answer;
    return { head: { code, headers, isNeverCompressed }, body };
  }
  const { status, headers = {}, object } = answer;
  const media = negotiateOrRefuse(wishes.accept, { allowsTransformation: false });
  return { head: { code: status, contentType: CONTENT_TYPES[media.format], headers }, body: textOf(wishes, jsonText(object), media) };
}

/** How texts of objects are made for a request. */
export interface RenderOptions {
  readonly media: OutputMediaType;
  readonly texts: CachedTexts;
  readonly now: Date;
}

/** @throws StatusError 406 */
export function renderedAnswer(
  wishes: Wishes & Pick<ReceivedRequest, 'journal'>,
  answer: Exclude<Answer, { type: 'connection' | 'status' | 'stream' }>,
  options: RenderOptions,
): Rendered {
  const { media } = options;
  const head = { code: answer.code, contentType: CONTENT_TYPES[media.format] };
  switch (answer.type) {
    case 'text':
      return { head: answer.code === 204 ? { code: 204 } : { ...head, contentType: 'text/plain' }, body: answer.text };
    case 'value':
      return { head, body: textOf(wishes, jsonText(answer.value), media) };
    case 'object':
      return { head, body: reformed(wishes, objectText(answer.served, answer.object, textOptionsOf(wishes, options)), media) };
    case 'list': {
      const pieces = listText(answer.served, answer.list, textOptionsOf(wishes, options));
      return isPlainJson(wishes, media) ? { head, pieces } : { head, body: reformed(wishes, [...pieces].join(''), media) };
    }
  }
}

/** @throws StatusError 400 for a wrong `includeObject` */
export function textOptionsOf({ query }: Pick<Wishes, 'query'>, { media, texts, now }: RenderOptions): TextOptions {
  const { kind, version = 'v1' } = media.transformation ?? {};
  const includeObject = kind === 'Table' ? includeObjectOf(query) : 'Metadata';
  return { texts, media, table: { version, includeObject, now } };
}

/** JSON as the client wants it: indented, as YAML, or with a newline at its end. */
function textOf(wishes: Wishes, json: string, media: OutputMediaType): string {
  return isPlainJson(wishes, media) ? `${json}\n` : reformed(wishes, json, media);
}

/** @param json with its newline, where it needs one */
function reformed(wishes: Wishes, json: string, media: OutputMediaType): string {
  if (media.format === 'yaml') return yamlText(JSON.parse(json));
  return isPlainJson(wishes, media) ? json : prettyJsonText(JSON.parse(json));
}

function isPlainJson(wishes: Wishes, { format, isPretty }: OutputMediaType): boolean {
  return format === 'json' && !isPretty && !wantsPretty(wishes);
}

function wantsPretty({ query, message }: Wishes): boolean {
  const wish = query.get('pretty') ?? '';
  if (wish !== '') return strictTruth(wish);
  return /^(?:curl|Wget|Mozilla\/5\.0)/.test(headerOf(message, 'user-agent'));
}
