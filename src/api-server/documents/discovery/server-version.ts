/**
 * `/version`: the Kubernetes version whose behaviour this server has, so that clients neither warn of a skew nor hold back what they can do. Commit and state
 * of the tree are those of a build from the sources of the module: `kubectl --match-server-version` compares them too.
 */
export const SERVER_VERSION: Readonly<Record<string, string>> = Object.freeze({
  major: '1',
  minor: '34',
  emulationMajor: '1',
  emulationMinor: '34',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '33',
  gitVersion: 'v1.34.4',
  gitCommit: '$Format:%H$',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
});
