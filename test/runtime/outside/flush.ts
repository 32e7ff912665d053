/** Lets everything run that waits for promises alone: no time passes. */
export function flush(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
