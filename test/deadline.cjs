/** A factor for machines that are slower than CI's: `KEELSON_TEST_PATIENCE=3 make cluster-test`. */
const text = process.env.KEELSON_TEST_PATIENCE || '1';
const patience = Number(text);
if (!(patience > 0 && patience < Infinity))
  throw new Error(`KEELSON_TEST_PATIENCE is ${JSON.stringify(text)}: set a number above 0, the factor by which tests wait longer`);

/** Nothing that passes takes longer because of it, so it is longer than any machine needs. */
exports.DEADLINE_MS = 120_000 * patience;

/** Longer than what is waited for within a test: `eventually` tells what did not come, a test that ran out of time does not. */
exports.HANG_MS = 5 * exports.DEADLINE_MS;
