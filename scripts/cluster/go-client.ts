import { join } from 'node:path';
import { builtFrom, runBuildStep, type SourceBuild } from './source-build.js';

export type GoClient = SourceBuild;

const MISSING = { cause: 'goMissing', remedy: 'see https://go.dev/dl' } as const;

/** The program of a Go module, built into the cache unless it is there already. Errors and what is blocked: {@link builtFrom}. */
export function goClient(source: string, environment: NodeJS.ProcessEnv = process.env): GoClient {
  // go.sum pins every module, and nothing may change it here.
  const env = { ...environment, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=readonly -buildvcs=false' };
  const common = { folder: source, environment: env, missing: MISSING };
  const built = builtFrom({
    prefix: 'go-client-',
    source,
    environment,
    build: (work) => {
      runBuildStep('go', ['mod', 'download'], { ...common, cause: 'modulesUnavailable' });
      // With the paths of this machine, as tools are built: what several programs import is compiled once.
      const parameters = ['build', '-o', join(work, 'client'), '-ldflags', '-s -w', '.'];
      runBuildStep('go', parameters, { ...common, cause: 'compileFailed' });
    },
  });
  return built.found ? { found: true, path: join(built.path, 'client') } : built;
}
