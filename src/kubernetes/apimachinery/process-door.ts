/** Known to both copies of the package, that of ECMAScript modules and that of CommonJS. */
const OPENED = Symbol.for('keelson.process-door');

/**
 * Called when a door is imported whose code runs in a process, as the runtime and test servers do. Bun lacks parts of `node:tls` (`getPeerX509Certificate`), which would
 * show only once a server is asked.
 *
 * @throws Error under Bun
 */
export function openProcessDoor(door: string): void {
  const { bun } = process.versions;
  if (bun !== undefined)
    throw new Error(
      `${door} needs Node 20.19 or newer, and this is Bun ${bun}; run it with node. keelson and keelson/constructs work with Bun`,
    );
  (globalThis as Record<symbol, unknown>)[OPENED] = true;
}

/** Whether the program has imported such a door. */
export function isProcessDoorOpen(): boolean {
  return (globalThis as Record<symbol, unknown>)[OPENED] === true;
}
