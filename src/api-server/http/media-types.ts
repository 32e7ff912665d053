import { notAcceptable } from '../status/index.js';

export type OutputFormat = 'json' | 'yaml';

/** Kinds of `meta.k8s.io` into which an answer can be turned. */
export type Transformation = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** How a client wants its answer. */
export interface OutputMediaType {
  readonly format: OutputFormat;
  readonly isPretty: boolean;
  /** Undefined: the object itself. */
  readonly transformation?: { readonly kind: Transformation; readonly version: 'v1' | 'v1beta1' };
}

interface Clause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A real server answers in protobuf too: clients that ask for it also take JSON, except who asks for nothing else. */
const TOLD = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const TOLD_STREAMS = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
const FORMATS: readonly { readonly subtype: OutputFormat; readonly type: string }[] = [
  { type: 'application', subtype: 'json' },
  { type: 'application', subtype: 'yaml' },
];

export interface AcceptOptions {
  /** Whether the answer may be turned into `Table` and the like. */
  readonly allowsTransformation: boolean;
}

/**
 * The first clause of an Accept header, in the client's order, that can be served.
 *
 * Source: apiserver `pkg/endpoints/handlers/negotiation`.
 */
export function negotiate(accept: string, { allowsTransformation }: AcceptOptions): OutputMediaType | undefined {
  if (accept === '' || accept === 'application/json' || accept === '*/*') return JSON_AS_IT_IS;
  for (const clause of clausesOf(accept)) {
    for (const { type, subtype } of FORMATS) {
      const matches =
        (clause.type === type && (clause.subtype === subtype || clause.subtype === '*')) || (clause.type === '*' && clause.subtype === '*');
      const found = matches ? mediaTypeOf(clause, subtype, allowsTransformation) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const JSON_AS_IT_IS: OutputMediaType = { format: 'json', isPretty: false };

/** @throws StatusError 406 */
export function negotiateOrRefuse(accept: string, options: AcceptOptions): OutputMediaType {
  const found = negotiate(accept, options);
  if (found === undefined) throw notAcceptable(`only the following media types are accepted: ${TOLD.join(', ')}`);
  return found;
}

/** A stream of events is JSON or nothing. @throws StatusError 406 */
export function checkStreamable({ format }: OutputMediaType): void {
  if (format !== 'json') throw notAcceptable(`only the following media types are accepted: ${TOLD_STREAMS.join(', ')}`);
}

/** The check of the router of built-in resources before any handler's: parameters do not count, `application/*` does not match. */
export function producesFor(accept: string, { isList }: { readonly isList: boolean }): readonly string[] | undefined {
  const produces = isList ? [...TOLD, ...TOLD_STREAMS] : TOLD;
  if (accept === '') return undefined;
  const isMatched = accept.split(',').some((part) => {
    const type = (part.split(';', 1)[0] ?? '').trim();
    return type === '*/*' || produces.includes(type);
  });
  return isMatched ? undefined : produces;
}

function mediaTypeOf({ parameters }: Clause, format: OutputFormat, allowsTransformation: boolean): OutputMediaType | undefined {
  const stream = parameters.get('stream') ?? '';
  if (stream !== '' && (stream !== 'watch' || format === 'yaml')) return undefined;
  const serverVersion = parameters.get('sv') ?? '';
  if (serverVersion !== '' && !(allowsTransformation && serverVersion === 'v1')) return undefined;
  const isPretty = parameters.get('pretty') === '1';
  if (!['as', 'g', 'v'].some((name) => parameters.has(name))) return { format, isPretty };
  const [kind, version] = [parameters.get('as') ?? '', parameters.get('v') ?? ''];
  if (!allowsTransformation || parameters.get('g') !== 'meta.k8s.io' || !isTransformation(kind)) return undefined;
  return version === 'v1' || version === 'v1beta1' ? { format, isPretty, transformation: { kind, version } } : undefined;
}

function isTransformation(kind: string): kind is Transformation {
  return kind === 'Table' || kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
}

/** Best quality first; what names a type before what does not. */
function clausesOf(accept: string): Clause[] {
  return accept
    .split(',')
    .map(clauseOf)
    .filter((clause): clause is Clause => clause !== undefined)
    .sort((left, right) => right.quality - left.quality || starsOf(left) - starsOf(right));
}

function starsOf({ type, subtype }: Clause): number {
  return type === '*' ? 2 : subtype === '*' ? 1 : 0;
}

function clauseOf(part: string): Clause | undefined {
  const [range = '', ...rest] = part.trim().split(';');
  const [type = '', subtype = '', ...more] = range.split('/').map((text) => text.trim());
  if (more.length > 0 || (subtype === '' && type !== '*')) return undefined;
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const [name = '', value = '', ...others] = parameter.split('=');
    if (value !== '' && others.length === 0) parameters.set(name.trim(), value.trim());
  }
  return { type, subtype: subtype === '' ? '*' : subtype, quality: qualityOf(parameters), parameters };
}

function qualityOf(parameters: Map<string, string>): number {
  const text = parameters.get('q');
  parameters.delete('q');
  if (text === undefined) return 1;
  const quality = Number(text);
  return Number.isNaN(quality) ? 0 : quality;
}
