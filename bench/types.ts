import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shown, table } from './statistics.js';
import { controlSource, definitionSource } from './type-sources.js';

const COUNTS = [1, 20, 100] as const;
const WORK = '.results/bench-types';
const COMPILERS = [
  ['5.9', 'typescript-5.9'],
  ['7', 'typescript'],
] as const;
const SUBJECTS = { 'definition and controller': definitionSource, 'zod schema (control)': controlSource } as const;

interface Diagnostics {
  readonly instantiations: number;
  readonly checkSeconds: number;
  readonly totalSeconds: number;
  readonly megabytes: number;
}

/** Type-check of N files with one definition and controller each, against N files with the same zod schema alone, as the published declarations give it. */
export function benchTypes(rounds: number): string {
  const rows = Object.entries(SUBJECTS).flatMap(([subject, source]) =>
    COUNTS.map((count) => {
      const project = writeProject(`${subject.replace(/\W+/g, '-')}-${count}`, count, source);
      const cells = COMPILERS.flatMap(([, compiler]) => {
        const runs = Array.from({ length: rounds }, () => diagnosticsOf(compiler, project));
        const min = (figure: keyof Diagnostics) => Math.min(...runs.map((run) => run[figure]));
        return [
          min('instantiations').toLocaleString('en'),
          min('checkSeconds').toFixed(2),
          min('totalSeconds').toFixed(2),
          shown(min('megabytes')),
        ];
      });
      return [`${count} × ${subject}`, ...cells];
    }),
  );
  const columns = COMPILERS.flatMap(([version]) => [`TS ${version}: instantiations`, 'check s', 'total s', 'MB']);
  rmSync(WORK, { recursive: true, force: true });
  return table(['files', ...columns], rows);
}

function writeProject(name: string, count: number, source: (index: number) => string): string {
  const folder = join(WORK, name);
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < count; index++) writeFileSync(join(folder, `file-${index}.ts`), source(index));
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  return folder;
}

function diagnosticsOf(compiler: string, project: string): Diagnostics {
  const { status, stdout } = spawnSync(process.execPath, [`node_modules/${compiler}/bin/tsc`, '-p', project, '--extendedDiagnostics'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${compiler} refuses ${project}:\n${stdout}`);
  const figure = (label: string): number => {
    const value = new RegExp(`^${label}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1];
    if (value === undefined) throw new Error(`${compiler} prints no "${label}"`);
    return Number(value);
  };
  return {
    instantiations: figure('Instantiations'),
    checkSeconds: figure('Check time'),
    totalSeconds: figure('Total time'),
    megabytes: figure('Memory used') / 1000,
  };
}
