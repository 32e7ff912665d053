import { KUBERNETES_MINOR, KUBERNETES_VERSION } from '@keelson/kubernetes/version';

const [major = '', minor = ''] = KUBERNETES_MINOR.split('.');
/** A server of a minor goes on serving what the one before it served, so that a control plane is upgraded in steps. */
const minCompatibilityMinor = String(Number(minor) - 1);

/**
 * `/version`: the Kubernetes version whose behaviour this server has, so that clients neither warn of a skew nor hold back what they can do. Commit and state
 * of the tree are those of a build from the sources of the module: `kubectl --match-server-version` compares them too.
 */
export const SERVER_VERSION: Readonly<Record<string, string>> = Object.freeze({
  major,
  minor,
  emulationMajor: major,
  emulationMinor: minor,
  minCompatibilityMajor: major,
  minCompatibilityMinor,
  gitVersion: KUBERNETES_VERSION,
  gitCommit: '$Format:%H$',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
});
