/** Known to all copies of the package: the module may have another one than the command. */
const READS = Symbol.for('keelson.module-reader');

/** Called by a program that loads modules of others for what they export: an operator in them must not start in its process. */
export function beModuleReader(): void {
  (globalThis as Record<symbol, unknown>)[READS] = true;
}

/** Whether modules are loaded for what they export. */
export function isModuleReader(): boolean {
  return (globalThis as Record<symbol, unknown>)[READS] === true;
}
