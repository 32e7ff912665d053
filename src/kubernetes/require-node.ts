/**
 * Refuses Bun when a door is imported. Bun lacks parts of `node:tls` (`getPeerX509Certificate`), which would show only once a server is asked.
 *
 * @throws Error under Bun
 */
export function requireNode(door: string): void {
  const { bun } = process.versions;
  if (bun === undefined) return;
  throw new Error(
    `${door} needs Node 20.19 or newer, and this is Bun ${bun}; run it with node. keelson and keelson/constructs work with Bun`,
  );
}
