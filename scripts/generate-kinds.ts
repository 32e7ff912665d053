import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { apiVersionOf } from '../src/kubernetes/apimachinery/index.js';
import { startCluster } from '../test/cluster/harness/index.js';
import {
  type ApiDocuments,
  generateKinds,
  generateThirdPartyKinds,
  goTypesModule,
  readSaved,
  readServer,
  saveDocuments,
} from './generate-kinds/index.js';

const USAGE = `Writes imports/ from what a Kubernetes API server says about its API, from scripts/crds, and from Kubernetes' Go
types (which needs Go). Run it at the project's root.

  tsx scripts/generate-kinds.ts                 starts an API server of the pinned version
  tsx scripts/generate-kinds.ts --server URL [--token-file FILE] [--ca FILE] [--certificate FILE --key FILE]
  tsx scripts/generate-kinds.ts --from DIR
  tsx scripts/generate-kinds.ts --go-types      only go-types/, for the group versions of the discovery.json that is there

  --server URL   a running API server, started with --runtime-config=api/all=true
  --from DIR     documents that --save kept
  --save DIR     keep the server's documents
  --out DIR      where to write (default: imports)
  --check        write nothing; fail if a file in --out differs
`;

const OPTIONS = {
  server: { type: 'string' },
  'token-file': { type: 'string' },
  ca: { type: 'string' },
  certificate: { type: 'string' },
  key: { type: 'string' },
  from: { type: 'string' },
  save: { type: 'string' },
  'go-types': { type: 'boolean', default: false },
  out: { type: 'string', default: 'imports' },
  check: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values'];

async function documentsOf(values: Values): Promise<ApiDocuments> {
  if (values.from !== undefined) return readSaved(values.from);
  if (values.server === undefined) return readOwnServer();
  const file = async (path: string | undefined) => (path === undefined ? undefined : (await readFile(path, 'utf8')).trim());
  return readServer({
    url: values.server,
    token: await file(values['token-file']),
    ca: await file(values.ca),
    certificate: await file(values.certificate),
    key: await file(values.key),
  });
}

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
  const out = resolve(values.out ?? 'imports');
  const files = values['go-types'] === true ? await goTypes(await readFile(join(out, 'discovery.json'), 'utf8')) : await allFiles(values);
  if (values.check === true) return check(files, out);
  for (const folder of new Set([...files.keys()].filter((path) => path.includes('/')).map((path) => path.split('/', 1)[0] ?? ''))) {
    await rm(join(out, folder), { recursive: true, force: true });
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(out, path)), { recursive: true });
    await writeFile(join(out, path), text);
  }
  console.log(`${files.size} files in ${out}`);
}

async function allFiles(values: Values): Promise<ReadonlyMap<string, string>> {
  const documents = await documentsOf(values);
  if (values.save !== undefined) await saveDocuments(documents, values.save);
  const builtin = generateKinds(documents);
  return new Map([
    ...builtin,
    ...generateThirdPartyKinds(await customResourceDefinitions()),
    ...(await goTypes(builtin.get('discovery.json') ?? '')),
  ]);
}

interface DiscoveryTable {
  readonly groups: readonly { readonly group: string; readonly versions: readonly { readonly version: string }[] }[];
}

async function goTypes(discovery: string): Promise<ReadonlyMap<string, string>> {
  const { groups } = JSON.parse(discovery) as DiscoveryTable;
  const served = groups.flatMap(({ group, versions }) => versions.map(({ version }) => apiVersionOf({ group, version })));
  return new Map([['go-types/table.ts', await goTypesModule(served)]]);
}

async function customResourceDefinitions(): Promise<{ name: string; text: string }[]> {
  const folder = 'scripts/crds';
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort();
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })));
}

async function check(files: ReadonlyMap<string, string>, out: string): Promise<void> {
  const different: string[] = [];
  for (const [path, text] of files) {
    const found = await readFile(join(out, path), 'utf8').catch(() => undefined);
    if (found !== text) different.push(`${path}${found === undefined ? ' (missing)' : ''}`);
  }
  if (different.length > 0) throw new Error(`imports/ is not what the generator writes; run it again for:\n  ${different.join('\n  ')}`);
  console.log(`${files.size} files are up to date`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
