import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Chart, Testing } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import type { TestObject } from '../harness/index.js';

const ROOT = join(__dirname, '../../..');
const EXAMPLES = join(ROOT, 'examples');

/** Folders under `examples/` that hold a cdk8s app. */
export function exampleNames(): string[] {
  return readdirSync(EXAMPLES).filter((name) => existsSync(join(EXAMPLES, name, 'main.ts')));
}

/** The files that an app has written, in the order in which they are to be applied. */
export interface Synthesized {
  readonly directory: string;
  readonly files: readonly string[];
  remove(): void;
}

/** Synthesizes an example as its user does, into a folder of its own: `cdk8s synth` with the app of that example. */
export async function synthesizeExample(name: string): Promise<Synthesized> {
  const directory = mkdtempSync(join(tmpdir(), `keelson-${name}-`));
  const app = `${process.execPath} --import tsx ${join('examples', name, 'main.ts')}`;
  const cdk8s = join('node_modules', 'cdk8s-cli', 'bin', 'cdk8s');
  await promisify(execFile)(process.execPath, [cdk8s, 'synth', '--check-upgrade=false', '--app', app, '--output', directory], {
    cwd: ROOT,
  });
  return synthesizedInto(directory);
}

function synthesizedInto(directory: string): Synthesized {
  const written = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  const files = written.filter((file) => file.endsWith('.yaml'));
  return { directory, files: files.map((file) => join(directory, file)), remove: () => rmSync(directory, { recursive: true }) };
}

/** Synthesizes several examples by one process, as `cdk8s synth` runs their apps. */
export async function synthesizeExamples(names: readonly string[]): Promise<Synthesized> {
  const directory = mkdtempSync(join(tmpdir(), 'keelson-examples-'));
  const apps = names.map((name) => `await import('./examples/${name}/main.ts');`).join('');
  const env = { ...process.env, CDK8S_OUTDIR: directory };
  await promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', apps], { cwd: ROOT, env });
  return synthesizedInto(directory);
}

/** kubectl reads YAML 1.1. */
export function documentsOf(file: string): TestObject[] {
  return parseAllDocuments(readFileSync(file, 'utf8'), { version: '1.1' }).map((document) => document.toJS() as TestObject);
}

/** What the constructs that `build` puts into a chart emit, in the order of the file. */
export function manifestsOf(namespace: string, build: (chart: Chart) => void): TestObject[] {
  const chart = new Chart(Testing.app(), 'test', { namespace });
  build(chart);
  return Testing.synth(chart) as TestObject[];
}
