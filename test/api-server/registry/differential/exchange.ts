import type { PatchFormat } from '../../../../src/api-server/contract/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';

/** One request, to be sent to both servers. `$uid` and `$rv` stand for those of the object that the exchange names, as each server has it. */
export interface Exchange {
  readonly verb: 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';
  readonly resource: 'configmaps' | 'replicasets' | 'secrets';
  /** Missing: a create, or a collection. */
  readonly name?: string;
  readonly subresource?: string;
  readonly body?: Json;
  readonly format?: PatchFormat;
  readonly query?: Readonly<Record<string, string>>;
}

/** What a server says, as far as both must say the same. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
}

/** The exchange with the placeholders filled in. */
export function filled(exchange: Exchange, known: { readonly uid: string; readonly rv: string }): Exchange {
  return JSON.parse(JSON.stringify(exchange).replaceAll('$uid', known.uid).replaceAll('$rv', known.rv)) as Exchange;
}

const MASKED: Readonly<Record<string, string>> = {
  uid: '<uid>',
  resourceVersion: '<version>',
  creationTimestamp: '<time>',
  deletionTimestamp: '<time>',
  time: '<time>',
  continue: '<token>',
};

/** Without what no two servers have in common. */
export function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskedText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(masked);
  const fields = Object.entries(value).map(([key, item]) => {
    const isKnown = Object.hasOwn(MASKED, key) && typeof item === 'string' && item !== '';
    return [key, isKnown ? MASKED[key] : masked(item)];
  });
  return Object.fromEntries(fields);
}

function maskedText(text: string): string {
  return (
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>')
      .replace(/current: \d+/, 'current: <version>')
      .replace(/("resourceVersion\\?":\\?")\d+/g, '$1<version>')
      // Tier B (docs/api-server.md): the diff of Go's internal types behind a refused change.
      .replace(/\n@@ [^\n]*(?:\n[ +@-][^\n]*)*\n?/g, '')
      // Tells how the server was built.
      .replace(/in scheme "[^"]+"/, 'in scheme <scheme>')
      .replace(/record \(\d+\)/, 'record (<version>)')
  );
}
