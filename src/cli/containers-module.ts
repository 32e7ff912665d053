import { pathToFileURL } from 'node:url';
import type { Processes } from '@keelson/api-server';
import { messageOf } from '@keelson/kubernetes/apimachinery';
import { UsageError } from './errors.js';

/** The note that programs of Pods do not resolve names, and why; empty if they do: the author of the module should not have to find it out. */
export async function noteOnNames({ options }: Processes): Promise<string> {
  const { lackOfNames } = await import('@keelson/api-server');
  const lack = options.names === 'never' ? 'the module of --containers says names: never' : lackOfNames();
  return lack === undefined ? '' : `Programs of Pods do not resolve names of the cluster, and have to use addresses: ${lack}.\n`;
}

/**
 * Loads a module that exports `containers`, as `processes` returns them.
 *
 * @throws UsageError for a module that cannot be loaded, or exports something else
 */
export async function containersIn(command: string, path: string, shown: string): Promise<Processes> {
  const complain = (what: string, cause?: unknown): never => {
    throw new UsageError(`keelson ${command}: --containers ${shown}: ${what}`, { cause });
  };
  const loaded = (await import(pathToFileURL(path).href).catch((error: unknown) =>
    complain(`cannot be loaded: ${messageOf(error)}`, error),
  )) as {
    readonly containers?: Partial<Processes>;
  };
  const { containers } = loaded;
  if (containers?.programs instanceof Map && typeof containers.options === 'object') return containers as Processes;
  return complain("it does not export containers; write: export const containers = processes({ 'memcached:*': 'memcached' })");
}
