import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { configOf } from './dockerfile.js';
import { buildImage, type Image } from './image.js';
import type { LayerContent } from './layer.js';
import { bundleOperator } from './operator-bundle.js';

export interface OperatorImageOptions {
  /** Root of the repository. */
  readonly root: string;
  /** Folder under `examples/`, with a Dockerfile and `operator.ts`. */
  readonly example: string;
  readonly name: string;
  /** Entry points of the same image beside `operator.ts`, as `backup-operator.ts`. Default none. */
  readonly others?: readonly string[];
}

/**
 * The image of an example's operator: this Node, its libraries, and the operator as one file. User, variables, working directory and entry point are those of
 * the example's Dockerfile, which needs a registry and cannot be built everywhere.
 *
 * @throws Error if the Dockerfile starts anything but one script with Node
 */
export async function operatorImage({ root, example, name, others = [] }: OperatorImageOptions): Promise<Image> {
  const folder = join('examples', example);
  const config = configOf(readFileSync(join(root, folder, 'Dockerfile'), 'utf8'));
  const [program, script, ...parameters] = config.entrypoint;
  const directory = config.workingDirectory ?? '/';
  if (program !== 'node' || script === undefined || parameters.length > 0)
    throw new Error(`${folder}/Dockerfile: the entry point is ${config.entrypoint.join(' ')}, expected node and one script`);
  const texts: Record<string, string> = {
    [posix.join(directory, script)]: await bundleOperator(root, join(folder, 'operator.ts')),
    [posix.join(directory, 'package.json')]: '{ "type": "module" }\n',
  };
  for (const other of others)
    texts[posix.join(directory, posix.dirname(script), other.replace(/\.ts$/, '.mjs'))] = await bundleOperator(root, join(folder, other));
  return buildImage({ name, config, layers: [nodeLayer(), { texts }] });
}

/** One layer for all operators. */
function nodeLayer(): LayerContent {
  return { copies: { '/usr/local/bin/node': process.execPath }, texts: { '/etc/nsswitch.conf': 'hosts: files dns\n' } };
}
