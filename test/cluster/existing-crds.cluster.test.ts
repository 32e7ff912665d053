import { EXISTING_CRDS } from '../cli/translate/existing-crds.js';
import { applyAll } from './checks/index.js';
import { describeCluster, type TestObject } from './harness/index.js';

// test/cli/translate/existing-crds.test.ts holds that keelson init makes the very same again.
describeCluster('CRDs that keelson init --from takes', (cluster) => {
  test.each((EXISTING_CRDS as readonly TestObject[]).map((crd) => [crd.metadata.name ?? '', crd] as const))(
    '%s is one that a real server takes',
    async (_, crd) => {
      await applyAll(cluster, [crd]);
    },
  );
});
