import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Finding, type Place, pageFindings, sourceFindings } from './findings.js';

/**
 * Counts sentences that must be read twice, per room and place, and holds each count to a budget that only shrinks.
 *
 *     npm run check:prose             fails where a count is above its budget, or below: the budget then shrinks
 *     npm run prose -- src/runtime    shows the findings below a folder
 *     npm run prose -- --write        shrinks the budgets to the counts; refuses to raise one
 */
const BUDGETS = 'scripts/prose/budgets.json';

type Budgets = Readonly<Record<string, Partial<Readonly<Record<Place, number>>>>>;

function filesOf(...patterns: readonly string[]): readonly string[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file));
}

/** `src/runtime/queue`, `docs`: the unit of a budget. */
function roomOf(file: string): string {
  const parts = file.split('/');
  if (parts[0] !== 'src') return parts.length === 1 ? 'README and others' : (parts[0] ?? '');
  return parts.slice(0, Math.min(3, parts.length - 1)).join('/');
}

interface Placed extends Finding {
  readonly place: Place;
}

function allFindings(): readonly Placed[] {
  const sources = filesOf('src/*.ts', 'examples/*.ts', 'scripts/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const inSources = sources.flatMap((file) => {
    const { comments, messages } = sourceFindings(file, readFileSync(file, 'utf8'));
    const place: Place = file.endsWith('/index.ts') ? 'doors' : 'comments';
    return [...comments.map((one) => ({ ...one, place })), ...messages.map((one) => ({ ...one, place: 'messages' as const }))];
  });
  const inPages = filesOf('*.md').flatMap((file) =>
    pageFindings(file, readFileSync(file, 'utf8')).map((one) => ({ ...one, place: 'docs' as const })),
  );
  return [...inSources, ...inPages];
}

function countsOf(findings: readonly Placed[]): Budgets {
  const counts: Record<string, Partial<Record<Place, number>>> = {};
  for (const { file, place } of findings) {
    const room = roomOf(file);
    counts[room] ??= {};
    counts[room][place] = (counts[room][place] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(counts).sort(([left], [right]) => (left < right ? -1 : 1)));
}

interface Difference {
  readonly room: string;
  readonly place: Place;
  readonly count: number;
  readonly budget: number;
}

const PLACES: readonly Place[] = ['doors', 'messages', 'docs', 'comments'];

function differences(counts: Budgets, budgets: Budgets): readonly Difference[] {
  const rooms = [...new Set([...Object.keys(counts), ...Object.keys(budgets)])];
  const all = rooms.flatMap((room) =>
    PLACES.map((place) => ({ room, place, count: counts[room]?.[place] ?? 0, budget: budgets[room]?.[place] ?? 0 })),
  );
  return all.filter(({ count, budget }) => count !== budget);
}

function check(findings: readonly Placed[], budgets: Budgets): void {
  for (const { room, place, count, budget } of differences(countsOf(findings), budgets)) {
    process.exitCode = 1;
    if (count < budget)
      console.log(`${room}: ${place}: ${count} hard sentences, the budget is ${budget}: run \`npm run prose -- --write\``);
    else {
      console.log(`${room}: ${place}: ${count} hard sentences, the budget is ${budget}: write the new ones plainly. All of them here:`);
      for (const { file, line, text } of findings.filter((one) => one.place === place && roomOf(one.file) === room))
        console.log(`  ${file}:${line} ${text}`);
    }
  }
}

function write(findings: readonly Placed[], budgets: Budgets): void {
  const counts = countsOf(findings);
  const raised = differences(counts, budgets).filter(({ count, budget }) => count > budget);
  if (raised.length > 0 && existsSync(BUDGETS)) {
    check(findings, budgets);
    return;
  }
  writeFileSync(BUDGETS, `${JSON.stringify(counts, undefined, 2)}\n`);
}

const [argument = ''] = process.argv.slice(2);
const findings = allFindings();
const budgets = existsSync(BUDGETS) ? (JSON.parse(readFileSync(BUDGETS, 'utf8')) as Budgets) : {};
if (argument === '--check') check(findings, budgets);
else if (argument === '--write') write(findings, budgets);
else
  for (const { file, line, text, place } of findings)
    if (file.startsWith(argument)) console.log(`${place.padEnd(8)} ${file}:${line} ${text}`);
