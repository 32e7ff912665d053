import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const FILE = '../shared/data/k8s-api-v0.32.4-testdata-HEAD.tgz';

/** One kind of Kubernetes 1.32 with every field filled, as Go wrote it. */
export interface GoldenKind {
  /** `apps.v1.Deployment` */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly json: string;
  readonly yaml: string;
  readonly protobuf: Buffer;
}

/** Nothing where the data is absent. */
export function goldenKinds(): readonly GoldenKind[] | undefined {
  if (!existsSync(FILE)) return undefined;
  const files = untar(gunzipSync(readFileSync(FILE)));
  return [...files.keys()]
    .filter((path) => path.endsWith('.json'))
    .sort()
    .map((path) => goldenKind(path.slice(0, -'.json'.length), files));
}

function goldenKind(name: string, files: ReadonlyMap<string, Buffer>): GoldenKind {
  const [, group = '', version = '', kind = ''] = /^(.*)\.(v[0-9a-z]+)\.([A-Za-z]+)$/.exec(name) ?? [];
  const file = (ending: string): Buffer => files.get(`${name}.${ending}`) ?? Buffer.alloc(0);
  return {
    name,
    group: group === 'core' ? '' : group,
    version,
    kind,
    json: file('json').toString('utf8'),
    yaml: file('yaml').toString('utf8'),
    protobuf: file('pb'),
  };
}

const BLOCK = 512;

function untar(archive: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const path = archive.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    if (path === '') break;
    const size = Number.parseInt(archive.toString('utf8', at + 124, at + 136), 8);
    files.set(path.slice(path.lastIndexOf('/') + 1), archive.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}
