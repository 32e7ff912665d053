import { basename } from 'node:path';
import { watch } from 'chokidar';

/** Folders that no operator is written in. */
const IGNORED: ReadonlySet<string> = new Set(['build', 'coverage', 'dist', 'lib', 'node_modules', 'out']);
const SOURCE = /\.(?:[cm]?[jt]s|json|ya?ml)$/;
/**
 * An editor that saves ten files means one change.
 *
 * After a change of a file the watcher says nothing of another one for 50 ms: by the time of the call that is over.
 */
const QUIET_MS = 60;

/**
 * Calls back with the path of a source file that has changed, once for changes that come together.
 *
 * Left out: folders of packages and of output, and everything whose name begins with a dot.
 */
export async function watchSources(folders: readonly string[], onChange: (path: string) => void): Promise<{ close(): Promise<void> }> {
  const isIgnored = (path: string, stats?: { isFile(): boolean }): boolean => {
    if (folders.includes(path)) return false;
    const name = basename(path);
    return name.startsWith('.') || IGNORED.has(name) || (stats?.isFile() === true && !SOURCE.test(name));
  };
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch([...folders], { ignored: isIgnored, ignoreInitial: true });
  watcher.on('all', (event, path) => {
    if (event === 'addDir' || event === 'unlinkDir') return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange(path), QUIET_MS);
  });
  await new Promise<void>((resolve, reject) => {
    watcher.once('ready', resolve);
    watcher.once('error', reject);
  });
  return {
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
