/**
 * Writes an image as one file, for `ctr images import` or `docker load`:
 *
 *     npx tsx scripts/images/main.ts EXAMPLE NAME OUT.tar
 *     npx tsx scripts/images/main.ts memcached localhost/memcached-operator:1 operator.tar
 *
 * EXAMPLE is a folder under examples/ with a Dockerfile. The same sources give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { operatorImage } from './operator-image.js';

const [example, name, output] = process.argv.slice(2);
if (example === undefined || name === undefined || output === undefined) {
  process.stderr.write('usage: scripts/images/main.ts EXAMPLE NAME OUT.tar\n');
  process.exitCode = 2;
} else {
  const { id, archive } = await operatorImage({ root: process.cwd(), example, name });
  writeFileSync(output, archive);
  process.stdout.write(`${name} sha256:${id} ${archive.length} bytes\n`);
}
