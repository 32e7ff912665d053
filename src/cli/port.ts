import { UsageError } from './errors.js';

/** @throws UsageError */
export function portIn(command: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new UsageError(`keelson ${command}: --port ${text}: is not a port; give a number up to 65535, or 0 for any port that is free`);
  return port;
}
