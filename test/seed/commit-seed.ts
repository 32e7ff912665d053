import { execFileSync } from 'node:child_process';

/**
 * The seed of the commit: every commit is asked something else, and what failed in CI fails again at home.
 *
 * @param variable environment variable whose value takes its place
 */
export function commitSeed(variable: string): number {
  const given = process.env[variable];
  if (given !== undefined) return Number(given);
  try {
    return Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: __dirname, encoding: 'utf8' }).slice(0, 7), 16);
  } catch {
    // A tree without its history.
    return 1;
  }
}
