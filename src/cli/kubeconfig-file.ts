import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import { KubeconfigFileError } from './errors.js';

const MARKER = '# Written by keelson: removed when it ends.\n';

/** Where clients of the server read how to reach it. It holds the key of an administrator: no other user may read it. */
export class KubeconfigFile {
  /** As the user wrote it; undefined: a file of its own in a folder for temporary files. */
  readonly #given: string | undefined;
  readonly #directory: string;
  #written: { readonly path: string; readonly text: string } | undefined;

  private constructor(given: string | undefined, directory: string) {
    this.#given = given;
    this.#directory = directory;
  }

  /** @throws KubeconfigFileError for a foreign file, above all the user's own kubeconfig */
  static async at(given: string | undefined, directory: string): Promise<KubeconfigFile> {
    const text = given === undefined ? '' : await textOf(resolve(directory, given), given);
    if (text === '' || text.startsWith(MARKER)) return new KubeconfigFile(given, directory);
    throw new KubeconfigFileError(
      `${given}: exists and was not written by keelson, so it is not replaced; choose another file with --kubeconfig`,
    );
  }

  /** Guarantees: the file is never seen in part. @returns its path @throws KubeconfigFileError */
  async write(kubeconfig: string): Promise<string> {
    const given = this.#given ?? join(await temporaryFolder(), 'kubeconfig');
    const path = resolve(this.#directory, given);
    const text = MARKER + kubeconfig;
    // In the same folder, so that it can be renamed.
    const draft = `${path}.${process.pid}`;
    try {
      // A link that another user has put there is not followed.
      await rm(draft, { force: true });
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw new KubeconfigFileError(`${given}: cannot be written: ${reason(error, path)}`, { cause: error });
    }
    this.#written = { path, text };
    return path;
  }

  /** Removes what was written, but not what another server has written there since. */
  async remove(): Promise<void> {
    if (this.#written === undefined) return;
    const { path, text } = this.#written;
    if (this.#given === undefined) await rm(dirname(path), { recursive: true, force: true });
    else if ((await textOf(path, this.#given)) === text) await rm(path, { force: true });
  }
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'keelson-apiserver-'));
  } catch (error) {
    const why = `${tmpdir()}: no folder for the kubeconfig can be made: ${reason(error, tmpdir())}; name a file elsewhere with --kubeconfig`;
    throw new KubeconfigFileError(why, { cause: error });
  }
}

async function textOf(path: string, shown: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // A missing folder is reported when the file is written.
    if (codeOf(error) === 'ENOENT') return '';
    throw new KubeconfigFileError(`${shown}: cannot be written: ${reason(error, path)}`, { cause: error });
  }
}

function reason(error: unknown, path: string): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return `there is no folder ${dirname(path)}; make it first`;
    case 'ENOTDIR':
      return `${dirname(path)} is not a folder`;
    case 'EISDIR':
      return 'it is a folder; name a file in it';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'permission denied';
    case 'ENOSPC':
      return 'the disk is full; make room';
    default:
      return messageOf(error);
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
