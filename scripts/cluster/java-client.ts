import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtFrom, runBuildStep } from './source-build.js';

export type JavaClient = { readonly found: true; readonly classPath: string } | { readonly found: false; readonly reason: string };

/** The oldest Java that the client libraries run on. */
const RELEASE = '17';
const MISSING = { cause: 'javaMissing', remedy: `install a JDK ${RELEASE} and Maven` } as const;

/**
 * The class path of a folder of Java files and a `pom.xml`, compiled into the cache unless it is there already. Maven fetches the libraries that the pom
 * names, and checks their sums; `javac` compiles. Errors and what is blocked: {@link builtFrom}.
 */
export function javaClient(source: string, environment: NodeJS.ProcessEnv = process.env): JavaClient {
  const built = builtFrom({ prefix: 'java-client-', source, environment, build: (work) => compile(source, work, environment) });
  return built.found ? { found: true, classPath: `${join(built.path, 'classes')}:${join(built.path, 'libraries', '*')}` } : built;
}

function compile(source: string, work: string, environment: NodeJS.ProcessEnv): void {
  const common = { folder: work, environment, missing: MISSING };
  // Before minutes of downloads: a machine can have Java without its compiler.
  runBuildStep('javac', ['-version'], { ...common, cause: 'javaMissing' });
  // Maven writes beside its pom.
  cpSync(join(source, 'pom.xml'), join(work, 'pom.xml'));
  const libraries = join(work, 'libraries');
  const fetch = ['--batch-mode', '--quiet', '--strict-checksums', 'dependency:copy-dependencies', `-DoutputDirectory=${libraries}`];
  runBuildStep('mvn', fetch, { ...common, cause: 'librariesUnavailable' });
  const files = readdirSync(source).filter((name) => name.endsWith('.java'));
  const parameters = [
    '--release',
    RELEASE,
    '-cp',
    join(libraries, '*'),
    '-d',
    join(work, 'classes'),
    ...files.map((name) => join(source, name)),
  ];
  runBuildStep('javac', parameters, { ...common, cause: 'compileFailed' });
  rmSync(join(work, 'pom.xml'));
}
