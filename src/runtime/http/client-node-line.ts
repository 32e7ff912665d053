/** The first Node on which version 2 loads: its HTTP client needs zstd of node:zlib. */
const FIRST = { major: 22, minor: 19 } as const;

export const CLIENT_NODE = '@kubernetes/client-node';

/**
 * How `@kubernetes/client-node` is installed for a version of Node, such as `20.19.0`: npm takes the newest line, and says only in a warning that it does not
 * run here.
 */
export function installationFor(node: string): string {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  if (major > FIRST.major || (major === FIRST.major && minor >= FIRST.minor)) return `npm install ${CLIENT_NODE}`;
  return `npm install ${CLIENT_NODE}@1; version 2 needs Node ${FIRST.major}.${FIRST.minor} or newer, and this is ${node}`;
}
