import { execFileSync } from 'node:child_process';

/** How containers start, as the file of an image says it. */
export interface SavedConfig {
  readonly User?: string;
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
  readonly Env?: readonly string[];
}

/** One entry of a layer. */
export interface SavedEntry {
  readonly path: string;
  /** `-rw-r--r--` */
  readonly mode: string;
  /** `uid/gid` */
  readonly owner: string;
  readonly bytes: number;
}

export interface SavedImage {
  readonly config: SavedConfig;
  /** Digests, lowest first. */
  readonly layers: readonly string[];
  /** Of the layers that the base does not have. */
  readonly added: readonly SavedEntry[];
}

/** Reads a file of `docker save`. `below` are the layers of the image that it was built upon. */
export function readSavedImage(file: string, below: readonly string[]): SavedImage {
  const { layerFiles, config, layers } = readManifest(file);
  return { config, layers, added: layerFiles.slice(below.length).flatMap((layer) => entriesOf(member(file, layer))) };
}

/** Digests of the layers in a file of `docker save`, lowest first. */
export const savedLayers = (file: string): readonly string[] => readManifest(file).layers;

function readManifest(file: string): Pick<SavedImage, 'config' | 'layers'> & { readonly layerFiles: readonly string[] } {
  const [{ Config, Layers }] = JSON.parse(member(file, 'manifest.json').toString()) as [
    { readonly Config: string; readonly Layers: readonly string[] },
  ];
  const { config, rootfs } = JSON.parse(member(file, Config).toString()) as {
    readonly config: SavedConfig;
    readonly rootfs: { readonly diff_ids: readonly string[] };
  };
  return { config, layers: rootfs.diff_ids, layerFiles: Layers };
}

const member = (file: string, path: string): Buffer =>
  execFileSync('tar', ['--extract', '--to-stdout', `--file=${file}`, path], { maxBuffer: LAYER_BYTES });

/** More than an operator's layer may ever have. */
const LAYER_BYTES = 256 * 1024 * 1024;

/** Each line is as `-rw-r--r-- 0/0  1308 2026-11-23 21:13 app/build/run.mjs`. */
function entriesOf(layer: Buffer): SavedEntry[] {
  const listing = execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--file=-'], { input: layer, encoding: 'utf8' });
  return listing
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [mode = '', owner = '', bytes = '', , , ...path] = line.split(/ +/);
      return { mode, owner, bytes: Number(bytes), path: path.join(' ') };
    });
}
