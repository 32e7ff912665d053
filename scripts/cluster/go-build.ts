import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BuildFailure } from './build-failure.js';

/** The go.mod of Kubernetes and that of etcd ask for it. */
const MINIMUM_GO = [1, 26] as const;

/** One wrapper module: programs of one Go module, built by package name. */
export interface Program {
  readonly module: string;
  readonly version: string;
  /** Package path to the name of the binary. */
  readonly packages: Readonly<Record<string, string>>;
  /** The `go` line of the wrapper; it also decides the GODEBUG defaults of the binaries. */
  readonly goVersion: string;
  readonly linkerFlags: string;
  /** Build tags, with commas between. Default: none. */
  readonly tags?: string | undefined;
}

export type Report = (line: string) => void;

/** Builds programs into `output`, with wrapper modules under `work`. Errors: {@link BuildFailure}. */
export async function buildPrograms(programs: readonly Program[], work: string, output: string, report: Report): Promise<void> {
  report(`using ${await checkedGo(work)}`);
  mkdirSync(output, { recursive: true });
  for (const program of programs) {
    const folder = join(work, program.module.replaceAll('/', '_'));
    mkdirSync(folder, { recursive: true });
    await writeWrapperModule(program, folder, report);
    const tags = program.tags === undefined ? [] : ['-tags', program.tags];
    await timed(`compiling ${Object.values(program.packages).join(', ')} ${program.version}`, report, async () => {
      for (const [path, name] of Object.entries(program.packages)) {
        await go(['build', ...tags, '-ldflags', program.linkerFlags, '-o', join(output, name), path], folder, 'compileFailed');
      }
    });
  }
}

async function checkedGo(folder: string): Promise<string> {
  const version = (await go(['env', 'GOVERSION'], folder, 'goMissing')).trim();
  const [major = 0, minorOfGo = 0] = version
    .replace(/^go/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10));
  if (major < MINIMUM_GO[0] || (major === MINIMUM_GO[0] && minorOfGo < MINIMUM_GO[1])) {
    throw new BuildFailure('goTooOld', `Go ${MINIMUM_GO.join('.')} or newer is needed, found ${version}`);
  }
  return version;
}

async function writeWrapperModule(program: Program, folder: string, report: Report): Promise<void> {
  const fetchModules = async (): Promise<void> => {
    writeFileSync(join(folder, 'go.mod'), `module wrapper\n\ngo ${program.goVersion}\n\nrequire ${program.module} ${program.version}\n`);
    const download = await go(['mod', 'download', '-json', `${program.module}@${program.version}`], folder, 'modulesUnavailable');
    const { Dir: source } = JSON.parse(download) as { Dir: string };
    const replacements = replacementsOf(readFileSync(join(source, 'go.mod'), 'utf8'), program.version);
    if (replacements !== '') writeFileSync(join(folder, 'go.mod'), replacements, { flag: 'a' });
    // The project's own checksums pin all of its dependencies; only the module itself and its staging modules are new to the file.
    if (existsSync(join(source, 'go.sum'))) copyFileSync(join(source, 'go.sum'), join(folder, 'go.sum'));
    const imports = Object.keys(program.packages).map((path) => `import _ "${path}"\n`);
    writeFileSync(join(folder, 'tools.go'), `//go:build tools\n\npackage wrapper\n\n${imports.join('')}`);
    await go(['mod', 'tidy'], folder, 'modulesUnavailable');
  };
  await timed(`fetching ${program.module} ${program.version} and its dependencies`, report, fetchModules);
}

/**
 * Replacements of the module's own `go.mod`, which Go heeds in the main module alone: versions that the program is built with upstream.
 *
 * Kubernetes keeps its libraries in the same repository (`k8s.io/api => ./staging/src/k8s.io/api`), which a user of the module does not see; each is
 * also published under the same minor and patch as v0.x.y.
 */
function replacementsOf(goMod: string, version: string): string {
  const published = version.replace(/^v1\./, 'v0.');
  const staged = [...goMod.matchAll(/^\s+(k8s\.io\/[a-z0-9-]+) => \.\/staging\//gm)].map(([, name]) => `${name} => ${name} ${published}`);
  const versions = [...goMod.matchAll(/^(?:replace|\t) ?(\S+(?: v\S+)? => \S+ v\S+)/gm)].map(([, replacement]) => replacement as string);
  const all = [...staged, ...versions];
  return all.length === 0 ? '' : `\nreplace (\n${all.map((replacement) => `\t${replacement}\n`).join('')})\n`;
}

async function timed(what: string, report: Report, work: () => Promise<void>): Promise<void> {
  const started = Date.now();
  const elapsed = (): string => `${((Date.now() - started) / 1000).toFixed(0)} s`;
  report(`${what} …`);
  const heartbeat = setInterval(() => report(`  still ${what.split(' ', 1)[0]}, ${elapsed()}`), 30_000);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
  }
  report(`  done in ${elapsed()}`);
}

/** Runs the `go` command and returns its standard output. */
function go(parameters: readonly string[], folder: string, cause: BuildFailure['reason']): Promise<string> {
  const environment = { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-mod=mod -buildvcs=false' };
  return new Promise((resolve, reject) => {
    const child = spawn('go', parameters, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    const output = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output.err += text;
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      const text = error.code === 'ENOENT' ? 'Go is not installed (no "go" on the PATH); see https://go.dev/dl' : error.message;
      reject(new BuildFailure('goMissing', text));
    });
    child.on('close', (code) => {
      if (code === 0) resolve(output.out);
      else reject(new BuildFailure(cause, `go ${parameters.join(' ')} ended with code ${code}:\n${lastLines(output.err)}`));
    });
  });
}

function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-20).join('\n');
}
