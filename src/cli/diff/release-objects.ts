import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type KubernetesObject, messageOf } from '@keelson/kubernetes/apimachinery';
import { DiffError } from '../errors.js';
import { readManifests, readText } from '../manifests/index.js';
import type { Terminal } from '../terminal.js';

const run = promisify(execFile);
const GIT = 'git:';
const MOST_BYTES = 64 << 20;

/**
 * Reads the objects of a release: a file or a folder of manifests, standard input (`-`), or `git:REVISION:PATH` for either of the first two at a revision.
 *
 * @throws DiffError naming everything that could not be read
 */
export async function releaseObjects(
  given: string,
  terminal: Pick<Terminal, 'directory' | 'readInput'>,
): Promise<readonly KubernetesObject[]> {
  const { found, unread } = given.startsWith(GIT) ? await atRevision(given, terminal.directory) : await readManifests([given], terminal);
  if (unread.length > 0) throw new DiffError(unread.map(({ place, problem }) => `keelson diff: ${place}: ${problem}`).join('\n'));
  if (found.length === 0) throw new DiffError(`keelson diff: ${given}: has no objects`);
  return found.map(({ object }) => object);
}

const MANIFEST = /\.(?:ya?ml|json)$/;

async function atRevision(given: string, directory: string): ReturnType<typeof readManifests> {
  const [revision = '', ...rest] = given.slice(GIT.length).split(':');
  const path = rest.join(':');
  if (revision === '' || path === '') throw new DiffError(`keelson diff: ${given}: is not git:REVISION:PATH, for example git:main:dist`);
  const git = async (...args: readonly string[]): Promise<string> => {
    try {
      return (await run('git', ['-C', directory, ...args], { maxBuffer: MOST_BYTES })).stdout;
    } catch (error) {
      const { stderr = '' } = error as { readonly stderr?: string };
      throw new DiffError(`keelson diff: ${given}: git says: ${stderr.trim() || messageOf(error)}`, { cause: error });
    }
  };
  // A revision that begins with a dash would be an option.
  const commit = (await git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`)).trim();
  const names = (await git('ls-tree', '-r', '-z', '--name-only', commit, '--', path)).split('\0').filter((name) => MANIFEST.test(name));
  if (names.length === 0) throw new DiffError(`keelson diff: ${given}: there are no manifests at ${path} in ${revision}`);
  const readings = { found: [], unread: [] } as { found: never[]; unread: never[] };
  for (const name of names) readText(await git('show', `${commit}:./${name}`), `${GIT}${revision}:${name}`, readings);
  return readings;
}
