import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A build of one Dockerfile, as it is. */
export interface BuildRequest {
  /** The folder that `docker build` would be given. */
  readonly context: string;
  /** Of the image, with its registry and tag. */
  readonly name: string;
  /** Paths in the containers of `RUN`, and what of this machine is mounted there. */
  readonly mounts: Readonly<Record<string, string>>;
}

const OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * buildah, with storage and settings in a folder of its own: the machine has neither. No daemon, no registry.
 *
 * Assumptions: root on Linux; `folder` holds the unpacked packages ({@link findImageBuilder}).
 * Errors: what a command wrote, when it fails.
 */
export class ImageBuilder {
  readonly #home = mkdtempSync(join(tmpdir(), 'keelson-builder-'));
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(this.#home, 'tmp'));
    const write = (name: string, lines: readonly string[]): void => writeFileSync(join(this.#home, name), `${lines.join('\n')}\n`);
    write('policy.json', ['{ "default": [{ "type": "insecureAcceptAnything" }] }']);
    // `FROM node` means what it means to Docker.
    write('registries.conf', ['unqualified-search-registries = ["docker.io"]']);
    write('containers.conf', ['[containers]', `seccomp_profile = "${join(folder, 'usr/share/containers/seccomp.json')}"`]);
    const places = [`graphroot = "${join(this.#home, 'storage')}"`, `runroot = "${join(this.#home, 'run')}"`];
    write('storage.conf', ['[storage]', 'driver = "overlay"', ...places]);
    write('ld.so.conf', [...libraryFolders(folder), 'include /etc/ld.so.conf']);
    execFileSync('ldconfig', ['-X', '-f', join(this.#home, 'ld.so.conf'), '-C', join(this.#home, 'ld.so.cache')]);
  }

  /** Makes an image known under its name, of a file that `docker save` could have written. */
  async load(name: string, file: string): Promise<void> {
    await this.#run('pull', '--quiet', this.#policy, `docker-archive:${file}:${name}`);
  }

  /** Builds a Dockerfile. Layers of earlier builds are used again, as Docker does; images that are not there are not looked for. */
  async build({ context, name, mounts }: BuildRequest): Promise<void> {
    const volumes = Object.entries(mounts).map(([path, source]) => `--volume=${source}:${path}`);
    await this.#run('build', '--isolation=chroot', '--pull-never', '--layers', this.#policy, ...volumes, `--tag=${name}`, context);
  }

  /** Writes an image as one file, for `ctr images import` or `docker load`; over one that is there. */
  async save(name: string, file: string): Promise<void> {
    rmSync(file, { force: true });
    await this.#run('push', '--quiet', this.#policy, name, `docker-archive:${file}:${name}`);
  }

  /** Mounts of a command end with it, so only files are left. */
  remove(): void {
    rmSync(this.#home, { recursive: true });
  }

  get #policy(): string {
    return `--signature-policy=${join(this.#home, 'policy.json')}`;
  }

  /**
   * buildah starts itself anew for each `RUN`, with an environment that has no LD_LIBRARY_PATH. In a mount namespace of its own the index of libraries is another
   * one, for all of its processes and for no one else.
   */
  async #run(...parameters: readonly string[]): Promise<void> {
    const script = 'mount --bind "$0" /etc/ld.so.cache && exec "$@"';
    const inside = ['sh', '-c', script, join(this.#home, 'ld.so.cache'), join(this.#folder, 'usr/bin/buildah'), ...parameters];
    const file = (name: string): string => join(this.#home, name);
    try {
      await promisify(execFile)('unshare', ['--mount', '--propagation=private', ...inside], {
        maxBuffer: OUTPUT_BYTES,
        env: {
          PATH: process.env['PATH'],
          HOME: this.#home,
          TMPDIR: file('tmp'),
          CONTAINERS_CONF: file('containers.conf'),
          CONTAINERS_STORAGE_CONF: file('storage.conf'),
          CONTAINERS_REGISTRIES_CONF: file('registries.conf'),
        },
      });
    } catch (error) {
      const {
        code,
        stdout = '',
        stderr = '',
      } = error as { readonly code?: number | string; readonly stdout?: string; readonly stderr?: string };
      throw new Error(`buildah ${parameters.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    }
  }
}

/** `usr/lib/x86_64-linux-gnu` and its like. */
function libraryFolders(folder: string): readonly string[] {
  return ['lib', 'usr/lib'].flatMap((parent) =>
    readdirSync(join(folder, parent))
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => join(folder, parent, name)),
  );
}
