import type { ApiDocuments } from './api-documents.js';
import { MARKER } from './marker.js';

/** `imports/version.ts`: the release of the server that all other files of `imports/` were read from. */
export function versionModule(documents: ApiDocuments): string {
  const { gitVersion, major, minor } = JSON.parse(documents.get('/version') ?? '{}') as Record<'gitVersion' | 'major' | 'minor', string>;
  return [
    `// ${MARKER}`,
    '',
    '/**',
    ' * The Kubernetes release whose API this package has: kinds, schemas, and the behaviour of the in-process API server.',
    ' *',
    ' * @public',
    ' */',
    `export const KUBERNETES_VERSION = '${gitVersion}';`,
    '',
    '/**',
    ' * Its minor version, as `major.minor`.',
    ' *',
    ' * @public',
    ' */',
    `export const KUBERNETES_MINOR = '${major}.${minor}';`,
    '',
  ].join('\n');
}
