import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { NodeLine } from '../fetched/index.js';
import { buildImage, type Image } from './image.js';
import { librariesOf } from './libraries.js';

/** The line of Node on which images stand. */
export const NODE_IMAGE_LINE: NodeLine = 24;
/** The name under which a Dockerfile asks for its image. */
export const NODE_IMAGE = `docker.io/library/node:${NODE_IMAGE_LINE}-slim`;

export interface NodeImageOptions {
  /** The program. */
  readonly node: string;
  /** The folder of npm's package. */
  readonly npm: string;
}

/** Parts of the C library, and of every Debian: packages of npm with programs of their own load more of it than Node does. */
const C_LIBRARY = ['libanl.so.1', 'libnsl.so.1', 'libresolv.so.2', 'librt.so.1', 'libutil.so.1'];

const ACCOUNTS = {
  '/etc/passwd': 'root:x:0:0:root:/root:/bin/sh\nnode:x:1000:1000::/home/node:/bin/sh\n',
  '/etc/group': 'root:x:0:\nnode:x:1000:\n',
  '/etc/nsswitch.conf': 'hosts: files dns\n',
};

/**
 * Stands in for the official image of Node where there is no registry to pull it from: Node, npm, npx and a shell at the places where that one has them,
 * on the libraries of this machine. A Dockerfile whose commands need more of Debian fails on it.
 *
 * @throws Error if Node is not linked to a C library
 */
export function nodeImage({ node, npm }: NodeImageOptions): Image {
  const library = librariesOf(node).find((path) => basename(path) === 'libc.so.6');
  if (library === undefined) throw new Error(`${node}: is not linked to libc.so.6, so packages of npm would not find their libraries`);
  const libraries = Object.fromEntries(C_LIBRARY.map((file) => join(dirname(library), file)).map((path) => [path, path]));
  const script = (command: string): string => `../lib/node_modules/npm/bin/${command}-cli.js`;
  return buildImage({
    name: NODE_IMAGE,
    // A build runs as root; its last stage names another user.
    config: { entrypoint: ['node'], user: '0:0' },
    layers: [
      { copies: { '/usr/local/bin/node': node, '/bin/sh': '/bin/sh', '/usr/bin/env': '/usr/bin/env', ...libraries }, texts: ACCOUNTS },
      { copies: filesOf(npm), links: { '/usr/local/bin/npm': script('npm'), '/usr/local/bin/npx': script('npx') } },
    ],
  });
}

function filesOf(npm: string): Readonly<Record<string, string>> {
  const files = readdirSync(npm, { recursive: true, encoding: 'utf8' }).filter((file) => statSync(join(npm, file)).isFile());
  return Object.fromEntries(files.map((file) => [`/usr/local/lib/node_modules/npm/${file}`, join(npm, file)]));
}
