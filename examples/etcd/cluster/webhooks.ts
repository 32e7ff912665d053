import { compareQuantityTexts, validating } from 'keelson';
import { EtcdCluster } from './etcd-cluster.js';
import { pathProblem, plainVersion } from './version.js';

// #region webhooks
/** A version that is there already stays: its cluster must be scaled and deleted all the same. The members judge once more, when one of them would be changed. */
export const clusterCheck = validating(EtcdCluster, ({ spec }, request) => {
  const { old } = request;
  if (spec.size % 2 === 0 && spec.size !== old?.spec.size)
    request.warn(`spec.size: ${spec.size} members survive no more failures than ${spec.size - 1}`);
  const shrinking = shrinkProblem(storageOf(old?.spec), storageOf(spec));
  const problems = shrinking === undefined ? [] : [{ path: STORAGE, message: shrinking }];
  if (spec.version === old?.spec.version) return problems;
  const running = old?.status?.currentVersion ?? old?.spec.version;
  const problem = pathProblem(running === undefined ? [] : [plainVersion(running)], plainVersion(spec.version));
  return problem === undefined ? problems : [...problems, { path: 'spec.version', message: problem }];
});
// #endregion

const STORAGE = 'spec.pod.persistentVolumeClaimSpec.resources.requests.storage';

const storageOf = (spec: EtcdCluster['spec'] | undefined) => spec?.pod.persistentVolumeClaimSpec?.resources?.requests?.['storage'];

function shrinkProblem(before: string | number | undefined, after: string | number | undefined): string | undefined {
  if (before === undefined || after === undefined || compareQuantityTexts(after, before) >= 0) return undefined;
  return `${after} is less than ${before}: volumes do not shrink. Make a smaller cluster, and restore a backup into it`;
}
