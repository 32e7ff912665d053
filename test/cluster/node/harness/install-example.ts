import { synthesizeExample } from '../../manifests/index.js';
import type { SharedNode } from './describe-node.js';

/** Installs an example's operator as its user does: `cdk8s synth`, then `kubectl apply` of the file, as it is. The operator goes with the node. */
export async function installExample(node: SharedNode, example: string): Promise<void> {
  await withManifests(example, async (system) => {
    const stderr = await must(node, ['apply', '--server-side', `--filename=${system}`]);
    // Not a word of warning: the Pod Security Standard of the namespace warns too.
    if (stderr.includes('Warning')) throw new Error(`kubectl apply of ${example}: ${stderr}`);
  });
}

/** Deletes what {@link installExample} has made, if it is there: first the custom resources, whose finalizers need the operator. */
export async function uninstallExample(node: SharedNode, example: string, resources: string): Promise<void> {
  const { code } = await node.kubectl(['get', resources, '--all-namespaces']);
  if (code === 0) await must(node, ['delete', resources, '--all', '--all-namespaces', '--timeout=60s']);
  await withManifests(example, (system) => must(node, ['delete', '--ignore-not-found', '--timeout=90s', `--filename=${system}`]));
}

async function withManifests(example: string, use: (system: string) => Promise<unknown>): Promise<void> {
  const synthesized = await synthesizeExample(example);
  try {
    await use(synthesized.files[0] ?? '');
  } finally {
    synthesized.remove();
  }
}

/** @returns what kubectl wrote to its standard error */
async function must(node: SharedNode, args: readonly string[]): Promise<string> {
  const { code, stderr } = await node.kubectl(args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with code ${code}: ${stderr}`);
  return stderr;
}
