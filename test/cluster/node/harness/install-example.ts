import { join } from 'node:path';
import { DEADLINE_MS } from '../../../deadline.cjs';
import { synthesizeExample } from '../../manifests/index.js';
import type { SharedNode } from './describe-node.js';

/**
 * After outages of the API server its clients, the controller manager and the kubelet among them, wait for up to a minute each before they watch again: 30 seconds,
 * which chance may double. A namespace with Pods needs both of them, one after the other. Source: client-go 0.34 `tools/cache/reflector.go`, the backoff of watches.
 */
const TIMEOUT = `--timeout=${DEADLINE_MS / 1_000}s`;

interface Uninstallation {
  readonly example: string;
  readonly resources: string;
  /** Where an example has several. @defaultValue that of its name */
  readonly operator?: string;
}

/** Applies a file. Not a word of warning: the Pod Security Standard of a namespace warns too. */
export async function applyManifests(node: SharedNode, file: string): Promise<void> {
  const stderr = await must(node, ['apply', '--server-side', `--filename=${file}`]);
  if (stderr.includes('Warning')) throw new Error(`kubectl apply of ${file}: ${stderr}`);
}

/** Deletes what {@link applyManifests} has made, if it is there: first the custom resources, whose finalizers need the operator. */
export async function deleteManifests(node: SharedNode, file: string, resources: string): Promise<void> {
  const { code } = await node.kubectl(['get', resources, '--all-namespaces']);
  if (code === 0) await must(node, ['delete', resources, '--all', '--all-namespaces', TIMEOUT]);
  const { code: left, stderr } = await node.kubectl(['delete', '--ignore-not-found', TIMEOUT, `--filename=${file}`]);
  if (left !== 0) throw new Error(`kubectl delete of ${file} ended with code ${left}: ${stderr}\n${await namespacesThatGo(node)}`);
}

/** Namespaces that are being deleted: the conditions name what holds them, and the Pods that are still there. */
async function namespacesThatGo(node: SharedNode): Promise<string> {
  const parts = '{range .items[?(@.metadata.deletionTimestamp)]}{.metadata.namespace} {.metadata.name} {.status.conditions}{"\\n"}{end}';
  const { stdout, stderr } = await node.kubectl(['get', 'namespaces,pods', '--all-namespaces', `--output=jsonpath=${parts}`]);
  return stdout + stderr;
}

/** Installs an example's operator as its user does: `cdk8s synth`, then `kubectl apply` of the file, as it is. The operator goes with the node. */
export async function installExample(node: SharedNode, example: string, operator?: string): Promise<void> {
  await withManifests(example, (file) => applyManifests(node, file), operator);
}

/** Deletes what {@link installExample} has made, if it is there. */
export async function uninstallExample(node: SharedNode, { example, resources, operator }: Uninstallation): Promise<void> {
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
