import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * Everything that can be said about the tree without running it, in one command: format, lint, layers, dead code, types, and that
 * generated files are what their generators write. All findings are shown, not only those of the first tool that complains.
 */
interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

interface Outcome {
  readonly step: Step;
  readonly passed: boolean;
  readonly output: string;
  readonly seconds: number;
}

const bin = (name: string): string => join('node_modules', '.bin', name);
const node = (...args: string[]): string[] => [process.execPath, ...args];

/** Scripts that belong to `check` as soon as package.json has them; `check:api` needs `lib/` and is run after the build. */
const OPTIONAL_SCRIPTS = ['check:generated', 'check:docs', 'check:prose', 'check:lock'];

function steps(): Step[] {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  return [
    { name: 'biome (format, lint, cycles)', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
    { name: 'oxlint (layers, doors, rules that need types)', command: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
    { name: 'typescript 7', command: node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.json') },
    {
      name: 'typescript 7, declarations one file at a time',
      command: node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noEmit', '--emitDeclarationOnly', 'false'),
    },
    { name: 'knip (dead code, unlisted dependencies)', command: [bin('knip'), '--treat-config-hints-as-errors'] },
    {
      name: 'knip (code that tests alone use)',
      command: [bin('knip'), '--config', 'knip.sources.json', '--treat-config-hints-as-errors'],
    },
    ...OPTIONAL_SCRIPTS.filter((name) => name in scripts).map((name) => ({ name, command: ['npm', 'run', '--silent', name] })),
  ];
}

function run(step: Step): Promise<Outcome> {
  const started = performance.now();
  const [command = '', ...args] = step.command;
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  const outcome = (passed: boolean, extra = ''): Outcome => ({
    step,
    passed,
    output: Buffer.concat(chunks).toString() + extra,
    seconds: (performance.now() - started) / 1000,
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(outcome(false, error.message)));
    child.on('close', (code) => resolve(outcome(code === 0)));
  });
}

function report({ step, passed, output, seconds }: Outcome): void {
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${step.name} (${seconds.toFixed(1)} s)`);
  if (!passed) console.log(output);
}

/** Runs as many steps at a time as there are cores, reports each as it ends. */
async function check(): Promise<boolean> {
  const waiting = steps();
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const outcome = await run(step);
      report(outcome);
      outcomes.push(outcome);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return outcomes.every(({ passed }) => passed);
}

process.exitCode = (await check()) ? 0 : 1;
