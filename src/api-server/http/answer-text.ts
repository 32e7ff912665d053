import { apiVersionOf } from '@keelson/kubernetes/apimachinery';
import { isObject, type JsonObject, type ObjectList, type Served, servedGroupVersion } from '../contract/index.js';
import { notAcceptable, plainError } from '../status/index.js';
import { jsonText } from '../values/index.js';
import type { CachedTexts } from './cached-texts.js';
import type { OutputMediaType } from './media-types.js';
import { partialText, type TableOptions, tableHead, tableRow } from './table.js';

export interface TextOptions {
  readonly texts: CachedTexts;
  readonly media: OutputMediaType;
  /** Read only for a Table. */
  readonly table: TableOptions;
}

/** The JSON of an object, as the client wants it, newline included. @throws StatusError 406 */
export function objectText(served: Served, object: JsonObject, { texts, media, table }: TextOptions): string {
  const transformation = media.transformation;
  if (transformation === undefined) return `${texts.of(object)}\n`;
  switch (transformation.kind) {
    case 'Table': {
      const metadata = jsonText(revisionOf(resourceVersionOf(object)));
      return `${tableHead(served, metadata, transformation)}${tableRow(served, object, { texts, options: table })}]}\n`;
    }
    case 'PartialObjectMetadata':
      return `${partialText(object, transformation.version)}\n`;
    case 'PartialObjectMetadataList':
      if (served.resource.isCustom) throw plainError('content is not a list');
      throw notAcceptable(`you requested PartialObjectMetadataList, but the requested object is not a list (${goType(served)})`);
  }
}

/**
 * The JSON of a list in pieces, one for each item: they are made as they are asked for, so that no list is ever one text.
 * @throws StatusError 406 before the first piece
 */
export function listText(served: Served, list: ObjectList, { texts, media, table }: TextOptions): Iterable<string> {
  const transformation = media.transformation;
  if (transformation === undefined) return served.resource.isCustom ? customList(served, list, texts) : typedList(served, list, texts);
  switch (transformation.kind) {
    case 'Table':
      return pieces(tableHead(served, listMeta(list), transformation), list, {
        item: (object) => tableRow(served, object, { texts, options: table }),
        tail: ']}\n',
      });
    case 'PartialObjectMetadataList':
      return partialList(list, transformation.version);
    case 'PartialObjectMetadata': {
      const type = served.resource.isCustom ? '*unstructured.UnstructuredList' : `${goType(served)}List`;
      throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (${type})`);
    }
  }
}

function typedList(served: Served, list: ObjectList, texts: CachedTexts): Iterable<string> {
  const kind = jsonText(served.resource.listKind);
  const head = `{"kind":${kind},"apiVersion":"${apiVersionOf(servedGroupVersion(served))}","metadata":${listMeta(list)},"items":[`;
  return pieces(head, list, { item: (object) => texts.ofItem(object), tail: ']}\n' });
}

/** For a custom resource: a map whose keys are sorted, and which shows an empty `continue`. */
function customList(served: Served, list: ObjectList, texts: CachedTexts): Iterable<string> {
  const { resourceVersion, continue: token = '', remainingItemCount } = list;
  const metadata = jsonText({ continue: token, ...(remainingItemCount === undefined ? {} : { remainingItemCount }), resourceVersion });
  const tail = `],"kind":${jsonText(served.resource.listKind)},"metadata":${metadata}}\n`;
  return pieces(`{"apiVersion":"${apiVersionOf(servedGroupVersion(served))}","items":[`, list, {
    item: (object) => texts.of(object),
    tail,
  });
}

function partialList(list: ObjectList, version: string): Iterable<string> {
  const head = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${listMeta(list)},"items":`;
  // Go's nil slice.
  if (list.items.length === 0) return [`${head}null}\n`];
  return pieces(`${head}[`, list, { item: (object) => partialText(object, version), tail: ']}\n' });
}

function* pieces(head: string, { items }: ObjectList, parts: { item: (object: JsonObject) => string; tail: string }): Generator<string> {
  yield head;
  let separator = '';
  for (const object of items) {
    yield separator + parts.item(object);
    separator = ',';
  }
  yield parts.tail;
}

function listMeta({ resourceVersion, continue: token = '', remainingItemCount }: ObjectList): string {
  return jsonText({
    ...revisionOf(resourceVersion),
    ...(token === '' ? {} : { continue: token }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  });
}

/** An object that was never stored has no revision. */
function revisionOf(resourceVersion: string): { readonly resourceVersion?: string } {
  return resourceVersion === '' ? {} : { resourceVersion };
}

export function resourceVersionOf({ metadata }: JsonObject): string {
  const version = isObject(metadata) ? (metadata as JsonObject)['resourceVersion'] : undefined;
  return typeof version === 'string' ? version : '';
}

/** The server's internal type, as its messages show it: `*apps.Deployment`. */
function goType({ resource }: Served): string {
  const goPackage = resource.group === '' || resource.group === 'events.k8s.io' ? 'core' : (resource.group.split('.', 1)[0] ?? '');
  return `*${goPackage}.${resource.kind}`;
}
