import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../errors.js';

/** The modules of a user's project that make an operator run. */
export interface ProjectModules {
  /** Exports the operator. */
  readonly operator: string;
  /** The entry point of the image; undefined: the operator is run as it is. */
  readonly run: string | undefined;
  /** Flags of Node that load them. */
  readonly loader: readonly string[];
}

/** The places of `keelson init`. */
const OPERATOR = 'src/operator.ts';
const RUN = 'run';

export interface GivenModules {
  readonly operator: string | undefined;
  readonly run: string | undefined;
}

/**
 * Finds the modules, and for TypeScript the project's own `tsx`.
 *
 * @throws UsageError for files that are absent
 */
export function projectModules(given: GivenModules, directory: string): ProjectModules {
  const operator = resolve(directory, given.operator ?? OPERATOR);
  if (!existsSync(operator))
    throw new UsageError(
      given.operator === undefined
        ? `keelson dev: there is no ${OPERATOR} here; name the module that exports the operator: keelson dev path/to/operator.ts`
        : `keelson dev: ${given.operator}: there is no such file`,
    );
  const run = given.run === undefined ? besides(operator) : resolve(directory, given.run);
  if (given.run !== undefined && !existsSync(run ?? '')) throw new UsageError(`keelson dev: --run ${given.run}: there is no such file`);
  return { operator, run, loader: isTypeScript(operator) ? loaderOf(directory) : [] };
}

/** `run.ts` in the folder of the operator. */
function besides(operator: string): string | undefined {
  const path = join(dirname(operator), `${RUN}${extname(operator)}`);
  return existsSync(path) ? path : undefined;
}

const isTypeScript = (path: string): boolean => /^\.[cm]?ts$/.test(extname(path));

/** @throws UsageError without tsx: Node alone does not find `./memcached.ts` where the import names `./memcached.js` */
function loaderOf(directory: string): readonly string[] {
  try {
    return ['--import', pathToFileURL(createRequire(join(directory, 'package.json')).resolve('tsx')).href];
  } catch {
    throw new UsageError('keelson dev: tsx, which loads TypeScript, is not installed here; run npm install --save-dev tsx');
  }
}
