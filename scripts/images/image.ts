import { createHash } from 'node:crypto';
import { type LayerContent, layerOf } from './layer.js';
import { type TarEntry, tar } from './tar.js';

/** How a container of the image is started. */
export interface ImageConfig {
  readonly entrypoint: readonly string[];
  /** `uid:gid`. Root only in an image that others are built upon. */
  readonly user: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly workingDirectory?: string;
}

export interface ImageOptions {
  /** With its tag: `localhost/pause:1`. */
  readonly name: string;
  readonly config: ImageConfig;
  /** The first is below the others. A layer that two images share is stored once. */
  readonly layers: readonly LayerContent[];
}

/** An image as one file, for `ctr images import` and `docker load`. */
export interface Image {
  readonly name: string;
  /** SHA-256 of the configuration, which names the layers: equal for equal images. */
  readonly id: string;
  readonly archive: Buffer;
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const EPOCH = '1970-01-01T00:00:00Z';

/**
 * Makes an image of files of this machine, without a registry or a daemon. The same files give the same bytes.
 *
 * @throws Error if a file is missing, or a library that it loads
 */
export function buildImage({ name, config, layers }: ImageOptions): Image {
  const archives = layers.map((layer) => tar(layerOf(layer)));
  const digests = archives.map(sha256);
  const configuration = Buffer.from(JSON.stringify(configurationOf(config, digests)));
  const id = sha256(configuration);
  const layerPath = (digest: string): string => `${digest}/layer.tar`;
  const manifest = [{ Config: `${id}.json`, RepoTags: [name], Layers: digests.map(layerPath) }];
  const file = (path: string, content: Buffer): TarEntry => ({ kind: 'file', path, mode: 0o644, content });
  const archive = tar([
    ...archives.map((content, index) => file(layerPath(digests[index] as string), content)),
    file(`${id}.json`, configuration),
    file('manifest.json', Buffer.from(JSON.stringify(manifest))),
  ]);
  return { name, id, archive };
}

/** Source: Docker Image Specification v1.2. */
function configurationOf({ entrypoint, user, environment = {}, workingDirectory = '/' }: ImageConfig, digests: readonly string[]): object {
  const variables = { PATH: '/usr/local/bin:/usr/bin:/bin', ...environment };
  return {
    architecture: ARCHITECTURES[process.arch] ?? process.arch,
    os: 'linux',
    created: EPOCH,
    config: {
      Entrypoint: entrypoint,
      User: user,
      WorkingDir: workingDirectory,
      Env: Object.entries(variables).map(([variable, value]) => `${variable}=${value}`),
    },
    rootfs: { type: 'layers', diff_ids: digests.map((digest) => `sha256:${digest}`) },
    history: digests.map(() => ({ created: EPOCH, created_by: 'keelson scripts/images' })),
  };
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
