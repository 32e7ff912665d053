import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '../test/cluster/harness/index.js';
import { policyModule, readPolicy } from './generate-bootstrap-policy/index.js';

const USAGE = `Writes imports/bootstrap-policy.ts from the roles and bindings that a Kubernetes API server of the pinned version makes at its start.
Run it at the project's root.

  tsx scripts/generate-bootstrap-policy.ts
  tsx scripts/generate-bootstrap-policy.ts --check   writes nothing; fails if the file differs
`;

const OUTPUT = 'imports/bootstrap-policy.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help === true) return console.log(USAGE);
  const text = await freshPolicy();
  if (values.check !== true) await writeFile(OUTPUT, text);
  else if ((await readFile(OUTPUT, 'utf8')) !== text) throw new Error(`${OUTPUT} is not what the generator writes; run it again`);
  console.log(`${OUTPUT} is up to date`);
}

/** Without controllers: they would fill the aggregated roles in. */
async function freshPolicy(): Promise<string> {
  const cluster = await startCluster();
  try {
    return policyModule(await readPolicy((path) => cluster.must('GET', path)));
  } finally {
    await cluster.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
