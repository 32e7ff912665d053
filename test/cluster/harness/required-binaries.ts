import { type Binaries, findBinaries } from '../../../scripts/cluster/binaries.js';

/** The binaries of the pinned versions. @throws Error that says why there are none; `describeCluster` skips its suites then */
export function requiredBinaries(): Binaries {
  const search = findBinaries();
  if (!search.found) throw new Error(search.reason);
  return search.binaries;
}
