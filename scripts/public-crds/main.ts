/**
 * Runs `keelson import` and `keelson init --from` over the CustomResourceDefinitions of public projects, counts what is refused, and compiles what is written.
 *
 *     npx tsx scripts/public-crds/main.ts [FOLDER ...]
 *
 * Without folders: the Go modules of `MODULES`, which the go command downloads into a cache outside of the tree. Not part of CI: it needs a network the first time, and minutes.
 * Exit codes: 1 where one is refused or does not compile, 0 otherwise, also where nothing can be downloaded.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Collected } from '../../src/cli/collected.js';
import { type CrdDocument, crdDocuments } from '../../src/cli/import/index.js';
import { judge } from './judge.js';
import { downloaded } from './modules.js';

const report = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** The CRDs of `apiextensions.k8s.io/v1` below a folder; templates of charts are not YAML, and are left out. */
function crdsBelow(folder: string): readonly CrdDocument[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.sort().flatMap((name) => {
    const text = readFileSync(name, 'utf8');
    if (!/^\s*"?kind"?: "?CustomResourceDefinition/m.test(text) || text.includes('{{')) return [];
    const problems = new Collected();
    const found = problems.try(() => crdDocuments([{ name, text }], { problems }));
    return found.flatMap(({ crds }) => crds);
  });
}

const folders = process.argv.slice(2);
const places = folders.length > 0 ? folders : downloaded(report);
const crds = new Map<string, CrdDocument>();
// Bundles and charts repeat the CRDs of a project word for word.
for (const place of places) for (const document of crdsBelow(place)) crds.set(JSON.stringify(document.crd), document);
process.exitCode = judge([...crds.values()], report) === 0 ? 0 : 1;
