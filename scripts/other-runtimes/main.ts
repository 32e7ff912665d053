/**
 * Runs small programs of users with Bun and Deno, on the package as it is published, and prints what works as a table:
 *
 *     npx tsx scripts/other-runtimes/main.ts
 *
 * A program works where it ends well and writes what it writes under Node. Linux on x64, and the npm registry, are needed.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages, testedVersions } from '../build/pack.js';
import { commandOf, OTHER_RUNTIMES, type OtherRuntime } from '../fetched/index.js';
import { outcomeOf } from './outcome.js';
import { PROGRAMS } from './programs.js';

const names = Object.keys(OTHER_RUNTIMES) as OtherRuntime[];
const folder = mkdtempSync(join(tmpdir(), 'keelson-runtimes-'));
try {
  install();
  const rows = PROGRAMS.map((program) => {
    const expected = outcomeOf(program, [process.execPath], folder);
    if (!expected.ended) throw new Error(`${program.name} fails under Node: ${expected.text}`);
    const cells = names.map((name) => {
      const { ended, text } = outcomeOf(program, commandOf(name), folder);
      if (ended && text === expected.text) return 'yes';
      return ended ? 'no: it writes something else' : `no: ${text}`;
    });
    return `| ${[program.name, ...cells].join(' | ')} |`;
  });
  const heads = names.map((name) => `${name} ${OTHER_RUNTIMES[name].version}`);
  const date = new Date().toISOString().slice(0, 10);
  process.stdout.write(`${[`| ${[`on ${date}`, ...heads].join(' | ')} |`, `|${'---|'.repeat(heads.length + 1)}`, ...rows].join('\n')}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

function install(): void {
  writeFileSync(join(folder, 'package.json'), '{ "name": "other-runtimes", "private": true, "type": "module" }\n');
  const versions = testedVersions();
  const beside = ['zod', 'cdk8s', 'constructs'].map((name) => `${name}@${versions[name]}`);
  const flags = ['--silent', '--prefer-offline', '--no-fund', '--no-audit', '--ignore-scripts'];
  execFileSync('npm', ['install', ...flags, ...Object.values(packPackages(folder)), ...beside], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
