import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installationObstacle } from '../../../scripts/cluster/debian-packages.js';
import { findImageBuilder } from '../../../scripts/cluster/image-builder.js';

test('where no builder was downloaded, the reason says how to get it, or why it cannot be had', () => {
  const cache = mkdtempSync(join(tmpdir(), 'keelson-builder-'));
  try {
    const search = findImageBuilder({ KEELSON_CACHE_DIR: cache });
    const expected = installationObstacle('the builder of images') ?? 'download it with: npx tsx scripts/cluster/prepare-node.ts';
    expect(search).toEqual({ found: false, reason: expect.stringContaining(expected) });
  } finally {
    rmSync(cache, { recursive: true });
  }
});
