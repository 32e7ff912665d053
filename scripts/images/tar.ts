/** One member of an archive. */
export type TarEntry =
  | { readonly kind: 'directory'; readonly path: string; readonly mode: number }
  | { readonly kind: 'file'; readonly path: string; readonly mode: number; readonly content: Buffer }
  | { readonly kind: 'link'; readonly path: string; readonly target: string };

const BLOCK = 512;
const TYPES = { file: '0', link: '2', directory: '5' } as const;
const LINK_MODE = 0o777;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

/**
 * A tar archive in the ustar format: the same entries give the same bytes, at any time and for any user.
 *
 * @throws Error if a path does not fit into the format
 */
export function tar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = entry.kind === 'file' ? entry.content : Buffer.alloc(0);
    return [header(entry, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** Source: POSIX.1-2008, pax, "ustar Interchange Format". */
function header(entry: TarEntry, size: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  const [prefix, name] = splitPath(entry.kind === 'directory' ? `${entry.path}/` : entry.path);
  const target = entry.kind === 'link' ? entry.target : '';
  if (Buffer.byteLength(target) > NAME_BYTES) throw new Error(`${entry.path}: the target of the link is longer than ${NAME_BYTES} bytes`);
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(entry.kind === 'link' ? LINK_MODE : entry.mode, 8), 100);
  block.write(octal(0, 8), 108); // user
  block.write(octal(0, 8), 116); // group
  block.write(octal(size, 12), 124);
  block.write(octal(0, 12), 136); // time
  block.write(' '.repeat(8), 148); // the checksum counts itself as blanks
  block.write(TYPES[entry.kind], 156);
  block.write(target, 157);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A long path is split at a slash. */
function splitPath(path: string): [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= NAME_BYTES) return ['', path];
  const at = [...path.matchAll(/\//g)]
    .map(({ index }) => index)
    .find((index) => index <= PREFIX_BYTES && index < path.length - 1 && Buffer.byteLength(path.slice(index + 1)) <= NAME_BYTES);
  if (at === undefined) throw new Error(`${path}: the path is too long for a tar archive`);
  return [path.slice(0, at), path.slice(at + 1)];
}
