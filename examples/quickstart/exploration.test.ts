import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explore } from '@keelson/testing';
import { Deployment } from 'keelson/kinds';

/** The module writes manifests when it is loaded. */
const folder = mkdtempSync(join(tmpdir(), 'keelson-quickstart-'));
process.env['CDK8S_OUTDIR'] = folder;
afterAll(() => rmSync(folder, { recursive: true }));

test('whatever goes wrong, it ends as if nothing had', async () => {
  const { Memcached, operator } = await import('./main.js');
  await explore(operator, {
    story: ({ apply, change, remove }) => [
      apply(Memcached({ metadata: { name: 'a' }, spec: { size: 1 } })),
      change(Memcached, 'a', { spec: { size: 3 } }),
      remove(Deployment, 'a'),
      apply(Memcached({ metadata: { name: 'b' }, spec: {} })),
      remove(Memcached, 'b'),
    ],
    workloads: true,
    seeds: 2,
  });
});
