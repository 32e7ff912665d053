const WITHIN_MS = 25_000;

/** Waits for what comes by itself, looking at each turn of the event loop. @throws Error with the condition when it does not come */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not met within ${WITHIN_MS / 1000} s: ${condition.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
