import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Chart, Yaml } from 'cdk8s';

const GOLDEN_DIRECTORY = join(__dirname, 'golden');

/**
 * Compares a chart's manifests with a committed file, byte by byte. `KEELSON_UPDATE_GOLDEN=1` writes the file instead: read the diff before you commit it.
 */
export function expectGolden(chart: Chart, file: string): void {
  const actual = Yaml.stringify(...(chart.toJson() as unknown[]));
  const path = join(GOLDEN_DIRECTORY, file);
  if (process.env['KEELSON_UPDATE_GOLDEN'] === '1') writeFileSync(path, actual);
  if (!existsSync(path)) throw new Error(`${path} is missing; run the tests with KEELSON_UPDATE_GOLDEN=1 and read what it writes`);
  expect(actual).toBe(readFileSync(path, 'utf8'));
}
