import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Definition, definitionErrors } from '../../src/api-server/kinds/custom-resources/index.js';
import { type CrdDocument, importKinds } from '../../src/cli/import/index.js';
import { definitionOf, isDifference } from '../../src/cli/translate/index.js';

const WORK = '.results/public-crds';

/** Whether an API server takes the CRD, by the rules of the one in this process. Test data and patches are among the files of a project. */
function isTaken({ crd }: CrdDocument): boolean {
  try {
    const { spec, apiVersion, kind: type, metadata } = structuredClone(crd) as unknown as Definition & { apiVersion: string; kind: string };
    const { names, conversion = { strategy: 'None' } } = spec;
    const kind = String(names.kind);
    const completed = { ...names, singular: names.singular ?? kind.toLowerCase(), listKind: names.listKind ?? `${kind}List` };
    const status = { storedVersions: spec.versions.filter(({ storage }) => storage).map(({ name }) => name) };
    const whole = { apiVersion, kind: type, metadata, spec: { ...spec, conversion, names: completed }, status };
    return definitionErrors(whole as unknown as Definition).length === 0;
  } catch {
    // It has not even the form of a CRD: a patch, for example.
    return false;
  }
}

interface Judged {
  readonly refusals: string[];
  readonly remarks: Map<string, number>;
  slowestMs: number;
  /** CRDs whose definition makes the very CRD. */
  same: number;
  existing: number;
}

/** Writes a module for each CRD by both commands, and compiles them. @returns how many are refused or do not compile */
export function judge(documents: readonly CrdDocument[], report: (line: string) => void): number {
  rmSync(WORK, { recursive: true, force: true });
  const taken = documents.filter(isTaken);
  const judged: Judged = { refusals: [], remarks: new Map(), slowestMs: 0, same: 0, existing: 0 };
  for (const [index, document] of taken.entries()) translate(document, index, judged);
  for (const line of judged.refusals) report(line);
  const errors = compiled();
  for (const line of errors.slice(0, MOST_ERRORS)) report(line);
  const modules = new Set(errors.map((line) => line.split('(')[0]));
  report(`${documents.length - taken.length} files are no CRDs that an API server takes`);
  report(
    `${taken.length} CRDs: ${judged.refusals.length} refused, ${modules.size} modules do not compile, ${judged.same} make the very CRD, ${judged.existing} need existing: true`,
  );
  report(`fields by remark: ${[...judged.remarks].map(([is, count]) => `${is} ${count}`).join(', ')}`);
  report(`slowest translation: ${Math.round(judged.slowestMs)} ms`);
  return judged.refusals.length + modules.size;
}

const MOST_ERRORS = 40;

function translate(document: CrdDocument, index: number, judged: Judged): void {
  const refused = (command: string, error: unknown): void => {
    judged.refusals.push(`${command}: ${document.place}: ${error instanceof Error ? error.message : String(error)}`);
  };
  try {
    const start = performance.now();
    const { text, notes } = definitionOf(document, 'Sample');
    judged.slowestMs = Math.max(judged.slowestMs, performance.now() - start);
    if (!notes.some(isDifference)) judged.same += 1;
    if (notes.some(({ is }) => is === 'new')) judged.existing += 1;
    for (const { is } of notes) judged.remarks.set(is, (judged.remarks.get(is) ?? 0) + 1);
    write(`init/${index}.ts`, text);
  } catch (error) {
    refused('init', error);
  }
  try {
    for (const { path, text } of importKinds([{ name: document.place, text: JSON.stringify(document.crd) }]).modules)
      write(`import/${index}/${path}`, text);
  } catch (error) {
    refused('import', error);
  }
}

function write(path: string, text: string): void {
  const file = join(WORK, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Lines of the compiler, under the flags of this repository. */
function compiled(): readonly string[] {
  writeFileSync(
    join(WORK, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { noPropertyAccessFromIndexSignature: false },
      include: ['init', 'import'],
    }),
  );
  const { stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', WORK, '--pretty', 'false'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}
