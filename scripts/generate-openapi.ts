import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '../test/cluster/harness/index.js';
import { allOpenApiSchemas } from './generate-kinds/api-documents.js';
import { type ApiDocuments, readSaved, readServer } from './generate-kinds/index.js';
import { definitionsModule, mergeDefinitionsModule } from './generate-openapi/index.js';

const USAGE = `Writes imports/openapi/ from the OpenAPI documents of a Kubernetes API server. Run it at the project's root.

  tsx scripts/generate-openapi.ts               starts an API server of the pinned version, with every group version on
  tsx scripts/generate-openapi.ts --from DIR    documents that scripts/generate-kinds.ts --save has kept

  --out DIR      where to write (default: imports)
  --check        write nothing; fail if a file in --out differs
`;

const OPTIONS = {
  from: { type: 'string' },
  out: { type: 'string', default: 'imports' },
  check: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

async function readOwnServer(): Promise<ApiDocuments> {
  const cluster = await startCluster({ apiServerFlags: ['--runtime-config=api/all=true'] });
  try {
    return await readServer({ url: cluster.url, token: cluster.adminToken, ca: cluster.connection.ca });
  } finally {
    await cluster.stop();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help === true) return console.log(USAGE);
  const documents = values.from === undefined ? await readOwnServer() : await readSaved(values.from);
  const files = [
    ['openapi/definitions.ts', definitionsModule(documents)],
    ['openapi/merge-definitions.ts', mergeDefinitionsModule([...allOpenApiSchemas(documents)])],
  ] as const;
  for (const [path, text] of files) await writeOrCheck(join(resolve(values.out ?? 'imports'), path), text, values.check === true);
}

async function writeOrCheck(file: string, text: string, isCheck: boolean): Promise<void> {
  if (isCheck) {
    const found = await readFile(file, 'utf8').catch(() => undefined);
    if (found !== text) throw new Error(`${file} is not what the generator writes; run it again`);
    return console.log(`${file} is up to date`);
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  console.log(`${file}: ${text.length} characters`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
