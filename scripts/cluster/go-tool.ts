import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheRoot } from './binaries.js';
import { buildPrograms, type Program, type Report } from './go-build.js';
import { withProcessLock } from './process-lock.js';
import { TOOLS, type ToolName } from './programs.js';

export type ToolSearch = { readonly found: true; readonly path: string } | { readonly found: false; readonly reason: string };

/**
 * The path of a tool that was built before. It starts nothing: suites must know whether there is a program when they are declared.
 *
 * `npm run test:cluster` builds every tool first.
 */
export function findTool(name: ToolName, environment: NodeJS.ProcessEnv = process.env): ToolSearch {
  const folder = folderOf(name, environment);
  const path = join(folder, name);
  if (existsSync(path)) return { found: true, path };
  return { found: false, reason: `no ${name} in ${folder} (build it with: npx tsx scripts/cluster/build-tools.ts ${name})` };
}

/** Builds a tool unless it is there. Its folder appears complete, by one rename. Errors: {@link BuildFailure}. */
export async function provideTool(name: ToolName, report: Report): Promise<void> {
  const found = findTool(name);
  if (found.found) return report(`${name} is there: ${found.path}`);
  const target = folderOf(name, process.env);
  await withProcessLock(
    `${target}.lock`,
    (holder) => report(`process ${holder} is building ${name} already: waiting for it`),
    async () => {
      if (findTool(name).found) return; // another process built it while this one waited
      const work = mkdtempSync(`${target}.building-`);
      try {
        await buildPrograms([TOOLS[name]], work, join(work, 'bin'), report);
        renameSync(join(work, 'bin'), target);
      } finally {
        rmSync(work, { recursive: true, force: true });
      }
    },
  );
}

/** Version and build tags are part of the name: another one is built beside it. */
function folderOf(name: ToolName, environment: NodeJS.ProcessEnv): string {
  const { version, tags }: Program = TOOLS[name];
  const build = tags === undefined ? version : `${version}-${tags.replaceAll(',', '+')}`;
  return join(cacheRoot(environment), `tool-${name}-${build}-${process.platform}-${process.arch}`);
}
