import { readFileSync } from 'node:fs';
import { suites } from '../../../scripts/ci/suites.js';
import { RELEASES } from '../../../scripts/cluster/binaries.js';

const OLDER = RELEASES.slice(1).map(({ minor }) => minor);

test('each supported minor but the pinned one has a suite', () => {
  expect(suites.flatMap(({ kubernetes }) => kubernetes ?? [])).toEqual(OLDER);
});

test.each(['Makefile', '.ci/run'])('%s names the suites of exactly these minors', (file) => {
  const names = new Set(readFileSync(file, 'utf8').match(/(?<=on-kubernetes-)\d+\.\d+/g));
  expect([...names]).toEqual(OLDER);
});
