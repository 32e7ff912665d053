import { join } from 'node:path';
import { synthesizeExample } from '../../manifests/index.js';
import type { SharedNode } from './describe-node.js';

/** Applies a file. Not a word of warning: the Pod Security Standard of a namespace warns too. */
export async function applyManifests(node: SharedNode, file: string): Promise<void> {
  const stderr = await must(node, ['apply', '--server-side', `--filename=${file}`]);
  if (stderr.includes('Warning')) throw new Error(`kubectl apply of ${file}: ${stderr}`);
}

/** Deletes what {@link applyManifests} has made, if it is there: first the custom resources, whose finalizers need the operator. */
export async function deleteManifests(node: SharedNode, file: string, resources: string): Promise<void> {
  const { code } = await node.kubectl(['get', resources, '--all-namespaces']);
  if (code === 0) await must(node, ['delete', resources, '--all', '--all-namespaces', '--timeout=60s']);
  await must(node, ['delete', '--ignore-not-found', '--timeout=90s', `--filename=${file}`]);
}

/** Installs an example's operator as its user does: `cdk8s synth`, then `kubectl apply` of the file, as it is. The operator goes with the node. */
export async function installExample(node: SharedNode, example: string, operator?: string): Promise<void> {
  await withManifests(example, (file) => applyManifests(node, file), operator);
}

/** Deletes what {@link installExample} has made, if it is there. */
export async function uninstallExample(node: SharedNode, example: string, resources: string, operator?: string): Promise<void> {
  await withManifests(example, (file) => deleteManifests(node, file, resources), operator);
}

/** @param operator where an example has several. Default that of its name */
async function withManifests(example: string, use: (file: string) => Promise<void>, operator = example): Promise<void> {
  const { directory, remove } = await synthesizeExample(example);
  try {
    await use(join(directory, operatorFile(operator)));
  } finally {
    remove();
  }
}

/** The file of an operator in the folder that its app writes into. */
export const operatorFile = (example: string): string => `${example}-operator.k8s.yaml`;

/** @returns what kubectl wrote to its standard error */
async function must(node: SharedNode, args: readonly string[]): Promise<string> {
  const { code, stderr } = await node.kubectl(args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with code ${code}: ${stderr}`);
  return stderr;
}
