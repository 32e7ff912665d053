import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { consumer, succeed, write } from './consumer.js';

/** A package and its bundle, in a stranger's project that has no TypeScript. */
const body = `
const Greeting = defineCustomResource({
  group: 'demo.example.com',
  kind: 'Greeting',
  versions: { v1: { spec: z.object({ to: z.string().describe('Who is greeted.') }), status: z.object({ conditions: k.conditions() }) } },
});
const controller = defineController({
  name: 'greeting',
  for: Greeting,
  owns: { texts: ConfigMap },
  reconcile: ({ object, done }) => done({ owned: { texts: [ConfigMap({ metadata: { name: object.metadata.name }, data: { text: object.spec.to } })] } }),
});
const operator = defineOperator({ name: 'greeter', controllers: [controller] });
const greeterPackage = defineOperatorPackage({ operator, image: 'registry.example.com/greeter:1.0.0', version: '1.0.0', description: 'Greets.' });
const greeterBundle = olmBundle(greeterPackage, {
  displayName: 'Greeter',
  provider: { name: 'Example Inc.' },
  minKubeVersion: '1.30.0',
  categories: ['Database'],
});
`;
const names = {
  keelson: 'defineController, defineCustomResource, defineOperator, k',
  'keelson/kinds': 'ConfigMap',
  'keelson/packaging': 'defineOperatorPackage, olmBundle',
  zod: 'z',
};
const forms = {
  mjs: {
    load: (from: string, what: string) => `import { ${what} } from '${from}';\n`,
    end: 'export { greeterPackage, greeterBundle };\n',
  },
  cjs: {
    load: (from: string, what: string) => `const { ${what} } = require('${from}');\n`,
    end: 'module.exports = { greeterPackage, greeterBundle };\n',
  },
} as const;

const FORMATS = ['helm', 'kustomize', 'olm', 'schemas', 'argocd'] as const;
const command = join(consumer, 'node_modules/.bin/keelson');

/** What the installed command writes in each format, by path. */
function writtenFrom(form: keyof typeof forms): Readonly<Record<string, string>> {
  const { load, end } = forms[form];
  const head = Object.entries(names).map(([from, what]) => load(from, what));
  write(`greeter-package.${form}`, `${head.join('')}${body}${end}`);
  const folder = `packages-${form}`;
  rmSync(join(consumer, folder), { recursive: true, force: true });
  for (const format of FORMATS) {
    const said = succeed(command, ['package', format, '--output', `${folder}/${format}`, `greeter-package.${form}`]);
    expect(said).toMatch(new RegExp(`${folder}/${format}: \\d+ files\\n`));
  }
  const files = readdirSync(join(consumer, folder), { recursive: true, encoding: 'utf8', withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(join(consumer, folder).length + 1), readFileSync(path, 'utf8')];
      }),
  );
}

test('the installed command writes a package in every format, from an ES module and from CommonJS alike', () => {
  const written = writtenFrom('mjs');
  expect(parse(written['helm/Chart.yaml'] ?? '')).toMatchObject({ apiVersion: 'v2', name: 'greeter', version: '1.0.0' });
  expect(JSON.parse(written['helm/values.schema.json'] ?? '')).toMatchObject({ additionalProperties: false });
  expect(parse(written['kustomize/kustomization.yaml'] ?? written['kustomize/base/kustomization.yaml'] ?? '')).toMatchObject({
    kind: expect.stringMatching(/^(Kustomization|Component)$/),
  });
  const csv = Object.entries(written).find(([path]) => path.endsWith('.clusterserviceversion.yaml'))?.[1] ?? '';
  expect(parseAllDocuments(csv).map((document) => document.toJS())).toMatchObject([
    { kind: 'ClusterServiceVersion', metadata: { name: 'greeter.v1.0.0' } },
  ]);
  const all = Object.entries(written);
  for (const format of FORMATS) expect(all.filter(([path]) => path.startsWith(`${format}/`))).not.toEqual([]);
  expect(all.filter(([path]) => path.startsWith('schemas/')).map(([, text]) => text)).toContainEqual(
    expect.stringContaining('Who is greeted.'),
  );
  expect(writtenFrom('cjs')).toEqual(written);
});
