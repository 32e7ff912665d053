/**
 * `/version`: the Kubernetes version whose behaviour this server has, so that clients neither warn of a skew nor hold back what they can do; the build
 * metadata behind `+`, which no client compares, says who it is. The fields of a Go build are empty.
 */
export const SERVER_VERSION: Readonly<Record<string, string>> = Object.freeze({
  major: '1',
  minor: '34',
  emulationMajor: '1',
  emulationMinor: '34',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '33',
  gitVersion: 'v1.34.4+keelson',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
});
