/** Rounds begin for so long. `make soak`: ten minutes. */
export const SOAK_SECONDS: number = numberOf('KEELSON_SOAK_SECONDS', 120);
/** The same disturbances in the same order; what comes of them depends on the machine, too. */
export const SOAK_SEED: number = numberOf('KEELSON_SOAK_SEED', Date.now() % 1_000_000);

function numberOf(variable: string, otherwise: number): number {
  const value = Number(process.env[variable] ?? otherwise);
  if (!(value >= 0)) throw new Error(`${variable}=${process.env[variable]}: give a number`);
  return value;
}
