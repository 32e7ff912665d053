import { apiVersionOf, goQuote } from '@keelson/kubernetes/apimachinery';
import { type KnownField, readKnown, refuse, WireReader } from './wire-reader.js';

const MAGIC = Buffer.from('k8s\0');

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

interface Fallback {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** `runtime.Unknown` behind its magic bytes: what protobuf bodies of Kubernetes are wrapped in. */
export function readEnvelope(bytes: Buffer, fallback?: Fallback): Envelope {
  if (bytes.length === 0) refuse('empty data');
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    refuse('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  if (bytes.length === MAGIC.length) refuse('empty body');
  const meta = { apiVersion: '', kind: '' };
  let raw: Buffer = Buffer.alloc(0);
  readKnown(new WireReader(bytes, { start: MAGIC.length }), 'Unknown', {
    1: { name: 'TypeMeta', wire: 2, read: (reader) => readTypeMeta(reader, meta) },
    2: {
      name: 'Raw',
      wire: 2,
      read: (reader) => {
        raw = reader.rest();
      },
    },
    3: { name: 'ContentEncoding', wire: 2, read: (reader) => reader.text() },
    4: { name: 'ContentType', wire: 2, read: (reader) => reader.text() },
  });
  return { ...named(meta, fallback), raw };
}

function readTypeMeta(reader: WireReader, meta: { apiVersion: string; kind: string }): void {
  const text = (name: string, field: 'apiVersion' | 'kind'): KnownField => ({
    name,
    wire: 2,
    read: (inner) => {
      meta[field] = inner.text();
    },
  });
  readKnown(reader, 'TypeMeta', { 1: text('APIVersion', 'apiVersion'), 2: text('Kind', 'kind') });
}

function named(meta: { apiVersion: string; kind: string }, fallback: Fallback | undefined): { apiVersion: string; kind: string } {
  // A malformed version counts as missing.
  const isVersion = /^[^/]+(?:\/[^/]*)?$|^\/[^/]+$/.test(meta.apiVersion);
  const found = { apiVersion: isVersion ? meta.apiVersion : '', kind: meta.kind === '' ? (fallback?.kind ?? '') : meta.kind };
  if (found.apiVersion === '' && fallback !== undefined) found.apiVersion = apiVersionOf(fallback);
  const missing = found.kind === '' ? 'Kind' : found.apiVersion === '' ? 'apiVersion' : undefined;
  if (missing === undefined) return found;
  return refuse(`Object '${missing}' is missing in 'runtime.TypeMeta{APIVersion:${goQuote(meta.apiVersion)}, Kind:${goQuote(meta.kind)}}'`);
}
