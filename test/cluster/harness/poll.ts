const INTERVAL_MS = 100;

/** Asks until the answer is yes (true) or the time is up (false). Other processes are waited for: there is no clock of ours to move. */
export async function pollUntil(ask: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (await ask()) return true;
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
