import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type KubernetesObject, messageOf } from '@keelson/kubernetes/apimachinery';
import { DiffError, UsageError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { DIFF } from '../usage/index.js';
import { type Allowance, type Allowed, applyAllowances, readAllowances } from './allowances.js';
import { compareReleases } from './compare.js';
import { diffText } from './diff-text.js';
import type { Finding } from './finding.js';
import { withRatcheting } from './ratcheting.js';
import { releaseObjects } from './release-objects.js';

const ALLOW_FILE = 'keelson.allow.yaml';

/** `keelson diff`. @throws DiffError for breaking changes without an allowance, and for allowances that no finding needs */
export async function runDiff(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: DIFF.options, allowPositionals: true });
  const [old, now, ...more] = positionals;
  if (old === undefined || now === undefined || more.length > 0)
    throw new UsageError(`keelson diff: OLD and NEW are expected, got ${positionals.length === 0 ? 'nothing' : positionals.join(' ')}`);
  if (old === '-' && now === '-') throw new UsageError('keelson diff: standard input can be one of the two');
  const { output } = values;
  if (output !== 'text' && output !== 'json') throw new UsageError(`keelson diff: --output ${output}: is neither text nor json`);
  const [before, after] = [await releaseObjects(old, terminal), await releaseObjects(now, terminal)];
  const findings = await tried(compareReleases(before, after), before, after);
  const judged = applyAllowances(findings, await allowancesAt(values.allow, terminal.directory), today());
  terminal.out(
    output === 'json' ? jsonText(judged) : `${diffText(judged, values.all ? ['breaking', 'review', 'info'] : ['breaking', 'review'])}\n`,
  );
  const failures = [
    ...(judged.open.some(({ level }) => level === 'breaking')
      ? [`keelson diff: there are breaking changes; allow those that you want in ${ALLOW_FILE}`]
      : []),
    ...judged.problems.map((problem) => `keelson diff: ${values.allow ?? ALLOW_FILE}: ${problem}`),
  ];
  if (failures.length > 0) throw new DiffError(failures.join('\n'));
}

/** With the answer to whether old objects can still be updated. */
async function tried(
  findings: readonly Finding[],
  before: readonly KubernetesObject[],
  after: readonly KubernetesObject[],
): Promise<readonly Finding[]> {
  let judged = findings;
  for (const old of before.filter(({ kind }) => kind === 'CustomResourceDefinition')) {
    const now = after.find(({ kind, metadata }) => kind === old.kind && metadata.name === old.metadata.name);
    if (now === undefined) continue;
    const object = `${old.kind} ${old.metadata.name}`;
    const own = await withRatcheting(
      judged.filter((finding) => finding.object === object),
      old,
      now,
    );
    const rest = [...own];
    judged = judged.map((finding) => (finding.object === object ? (rest.shift() ?? finding) : finding));
  }
  return judged;
}

async function allowancesAt(given: string | undefined, directory: string): Promise<readonly Allowance[]> {
  const shown = given ?? ALLOW_FILE;
  const text = await readFile(resolve(directory, shown), 'utf8').catch((error: unknown) => {
    if (given === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new DiffError(`keelson diff: ${shown}: cannot be read: ${messageOf(error)}`, { cause: error });
  });
  if (text === undefined) return [];
  const { allowances, problems } = readAllowances(text);
  if (problems.length > 0) throw new DiffError(problems.map((problem) => `keelson diff: ${shown}: ${problem}`).join('\n'));
  return allowances;
}

function jsonText({ open, allowed }: Allowed): string {
  const report = {
    apiVersion: 'keelson.dev/v1',
    kind: 'Diff',
    findings: open,
    allowed: allowed.map(({ finding, allowance }) => ({ ...finding, reason: allowance.reason })),
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

const today = (): string => new Date().toISOString().slice(0, 10);
