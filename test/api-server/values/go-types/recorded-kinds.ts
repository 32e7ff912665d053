import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { GoldenKind } from './testdata.js';

/** Kinds of the pinned Kubernetes with every field filled, as `test/cluster/go-values` writes them; `npm run record` makes the file anew. */
export const RECORDED_KINDS: string = join(__dirname, 'golden/kinds.jsonl.br');

/** A line of the Go program. */
interface Line {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly json: string;
  readonly yaml: string;
  /** In base64. */
  readonly protobuf: string;
}

export function recordedKinds(): readonly GoldenKind[] {
  return kindsOf(brotliDecompressSync(readFileSync(RECORDED_KINDS)).toString('utf8'));
}

export function kindsOf(lines: string): readonly GoldenKind[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { group, version, kind, json, yaml, protobuf } = JSON.parse(line) as Line;
      const name = `${group === '' ? 'core' : group}.${version}.${kind}`;
      return { name, group, version, kind, json, yaml, protobuf: Buffer.from(protobuf, 'base64') };
    });
}

export function packed(lines: string): Buffer {
  return brotliCompressSync(lines, { params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: lines.length } });
}
