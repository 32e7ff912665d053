import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { cacheRoot } from '../cluster/binaries.js';
import { doorsOf, type EntryPoint, isPassedOn } from './entry-points.js';
import { root, workspacePackages } from './packages.js';

/**
 * One report per door in `api/`: it shows a reviewer that the public API changed, and that a CHANGELOG line is missing.
 *
 *     npm run check:api    compares with lib/, fails on a difference; what was compared before is not compared again
 *     npm run api          writes the reports
 */
const reportFolder = join(root, 'api');

/**
 * The generated kinds come in through `@keelson/kubernetes/kinds`; a report for each of their groups would say everything twice. A door that a package passes on
 * from another has its report there. Doors under `internal` are for the packages of keelson alone.
 */
const doors = (): EntryPoint[] =>
  workspacePackages().flatMap((own) =>
    doorsOf(own).filter((door) => door.source.startsWith('src/') && !isPassedOn(own, door) && !door.specifier.includes('/internal/')),
  );

const reportName = ({ specifier }: EntryPoint): string => specifier.replace('@', '').replaceAll('/', '-');

function writeReport(door: EntryPoint, temporary: string, local: boolean): boolean {
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    // The package.json of the workspace: reports then name files from the root.
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, door.types),
      compiler: { overrideTsconfig: tsconfig(door), skipLibCheck: true },
      apiReport: { enabled: true, reportFolder, reportTempFolder: temporary, reportFileName: reportName(door) },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        // The report is about names and shapes. Wording of comments and release tags are not a break; an unexported type in a signature is.
        compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Warning } },
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.None },
          'ae-forgotten-export': { logLevel: ExtractorLogLevel.Warning, addToApiReportFile: true },
        },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
  });
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: local,
    messageCallback: (message) => {
      // Its greetings, and what the line that we print ourselves says.
      message.handled = message.category === 'console' && message.logLevel !== ExtractorLogLevel.Error;
    },
  });
  return apiReportChanged;
}

/**
 * The file that stands for a comparison without a difference: named by all that the comparison reads (declarations, report, tools), it lies in the cache, so
 * that a run with unchanged declarations does not spend a minute on the same answer.
 */
function agreementFile(door: EntryPoint, declarations: string): string {
  const hash = createHash('sha256').update(declarations).update(door.specifier);
  for (const file of [
    join(reportFolder, `${reportName(door)}.api.md`),
    join(root, 'scripts/build/api-report.ts'),
    join(root, 'package-lock.json'),
  ])
    hash.update(existsSync(file) ? readFileSync(file) : '-');
  return join(cacheRoot(), 'api-reports', hash.digest('hex'));
}

/** As a user's compiler, which finds each package by its built declarations; tsconfig.json would lead it to the sources. */
const tsconfig = (door: EntryPoint): object => ({
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    paths: Object.fromEntries(
      workspacePackages()
        .flatMap(doorsOf)
        .map(({ specifier, types }) => [specifier, [join(root, types)]]),
    ),
  },
  files: [join(root, door.types)],
});

function declarationsHash(): string {
  const hash = createHash('sha256');
  for (const { output } of workspacePackages()) {
    const types = join(root, output, 'types');
    const files = existsSync(types) ? readdirSync(types, { recursive: true, encoding: 'utf8' }) : [];
    for (const file of files.filter((name) => name.endsWith('.d.ts')).sort()) hash.update(file).update(readFileSync(join(types, file)));
  }
  return hash.digest('hex');
}

/** Whether the door's API differs from its report. */
function isChanged(door: EntryPoint, temporary: string, declarations: string): boolean {
  const agreed = agreementFile(door, declarations);
  if (existsSync(agreed)) return false;
  if (writeReport(door, temporary, false)) return true;
  mkdirSync(join(cacheRoot(), 'api-reports'), { recursive: true });
  writeFileSync(agreed, '');
  return false;
}

function main(): void {
  const local = process.argv.includes('--local');
  const missing = doors().find(({ types }) => !existsSync(join(root, types)));
  if (missing !== undefined) throw new Error(`${missing.types} does not exist: run \`npm run build\` first`);
  mkdirSync(reportFolder, { recursive: true });
  const temporary = mkdtempSync(join(tmpdir(), 'keelson-api-'));
  try {
    const declarations = declarationsHash();
    const changed = doors().filter((door) => (local ? writeReport(door, temporary, true) : isChanged(door, temporary, declarations)));
    for (const door of changed)
      console.log(`${door.specifier}: the public API ${local ? 'was written to' : 'is not that of'} api/${reportName(door)}.api.md`);
    if (changed.length === 0) console.log('The public API is that of the reports in api/.');
    else if (!local) {
      console.log('If the change is meant, run `npm run api`, read the difference, and note it in CHANGELOG.md.');
      process.exitCode = 1;
    }
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

main();
