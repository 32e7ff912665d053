import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundleProblems, catalogProblems, olmCatalog, type PackageFile } from 'keelson/packaging';
import { parse, parseAllDocuments } from 'yaml';
import { goClient } from '../../scripts/cluster/go-client.js';
import { findTool } from '../../scripts/cluster/go-tool.js';
import { DEADLINE_MS } from '../deadline.cjs';
import { eventually } from '../eventually.js';
import { CSV, changed, csv, FILES } from '../keelson/packaging/olm/rules/edited-bundle.js';
import { describeCluster } from './harness/index.js';
import { BUNDLES } from './olm/bundles.js';
import { catalogText, PLANTED, PLANTED_IN_CATALOG } from './olm/planted.js';

const opm = findTool('opm');
if (!opm.found && process.env['CI']) throw new Error(opm.reason);
const validators = opm.found ? goClient(join(__dirname, 'olm/validators')) : opm;
const suite = opm.found && validators.found ? describe : describe.skip;
const skipped = opm.found ? (validators.found ? '' : ` [skipped: ${validators.reason}]`) : ` [skipped: ${opm.reason}]`;

interface Finding {
  readonly validator: string;
  readonly level: 'Error' | 'Warning';
  readonly text: string;
}

/** What OLM's validators say of the examples, each judged. An error has no place here. */
const JUDGED = {
  description: /owned CRD ".*" has an empty description/,
  examples: /provided API should have an example annotation/,
  icon: /Spec\.Icon not specified/,
  // Taken for a use of events.k8s.io/v1beta1: a rule of RBAC names no version, and the operator writes v1.
  events: /removed in v1\.25.*Migrate the API\(s\) for events: \(\["ClusterServiceVersion\.Spec\.InstallStrategy[^,]*"\]\)/,
  // The right to patch one's own definition by its name, where stored objects are moved to another version: it creates none.
  ownDefinition: /CSV contains permissions to create CRD/,
} as const;
const EXPECTED: Readonly<Record<string, readonly (keyof typeof JUDGED)[]>> = {
  memcached: ['events'],
  'etcd clusters': ['description', 'events'],
  'etcd backups': ['description', 'events'],
  prometheus: ['description', 'events', 'examples'],
  'cron jobs, with a conversion': ['description', 'events', 'ownDefinition'],
  'the least': ['description', 'events', 'examples', 'icon'],
};

const folder = mkdtempSync(join(tmpdir(), 'keelson-olm-tools-'));
let folders = 0;

function written(files: readonly PackageFile[]): string {
  folders += 1;
  const target = join(folder, `${folders}`);
  for (const { path, text } of files) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    writeFileSync(join(target, path), text);
  }
  return target;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in a home of its own. */
function run(program: string, ...parameters: readonly string[]): Promise<Ended> {
  const environment = { PATH: process.env['PATH'], HOME: folder, TMPDIR: folder };
  return new Promise((resolve) => {
    execFile(
      program,
      [...parameters],
      { env: environment, cwd: folder, maxBuffer: 2 ** 26, timeout: DEADLINE_MS },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });
}

const toolOf = (found: typeof opm): string => {
  if (!found.found) throw new Error(found.reason);
  return found.path;
};
const runOpm = (...parameters: readonly string[]): Promise<Ended> => run(toolOf(opm), ...parameters);

/** What OLM's validators say, in the order of the bundles. */
async function findings(bundles: readonly (readonly PackageFile[])[]): Promise<readonly (readonly Finding[])[]> {
  const { code, stdout, stderr } = await run(toolOf(validators), ...bundles.map(written));
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as readonly { readonly findings: readonly Finding[] }[]).map((verdict) => verdict.findings);
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

suite(`bundles, judged by OLM's own validators${skipped}`, () => {
  const NAMES = Object.keys(BUNDLES);
  const texts = new Map<string, readonly PackageFile[]>();
  const found = new Map<string, readonly Finding[]>();
  beforeAll(async () => {
    for (const [name, bundle] of Object.entries(BUNDLES)) texts.set(name, bundle.files());
    for (const [name, { change }] of Object.entries(PLANTED)) texts.set(name, changed(change));
    const all = await findings([...texts.values()]);
    for (const [index, name] of [...texts.keys()].entries()) found.set(name, all[index] ?? []);
  });
  const filesOf = (name: string): readonly PackageFile[] => texts.get(name) ?? [];

  test.each(NAMES)('%s: no errors, and the warnings that are expected', (name) => {
    const said = found.get(name) ?? [];
    const kinds = said.map(({ level, text }) => {
      const judged = (Object.keys(JUDGED) as (keyof typeof JUDGED)[]).find((each) => JUDGED[each].test(text));
      return level === 'Error' || judged === undefined ? `${level}: ${text}` : judged;
    });
    expect([...new Set(kinds)].sort()).toEqual([...(EXPECTED[name] ?? [])].sort());
    expect(bundleProblems(filesOf(name)).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test.each(Object.entries(PLANTED))('%s: they find it, and so do our rules', (name, { level, theirs, ours }) => {
    const said = (found.get(name) ?? []).filter((finding) => finding.level === level).map(({ text }) => text);
    expect(said.join('\n')).toMatch(theirs);
    expect(bundleProblems(filesOf(name)).map(({ severity, rule }) => `${severity} ${rule}`)).toContain(ours);
  });

  test('a mistake in the configuration of scorecard is seen by its own types', async () => {
    const config = 'tests/scorecard/config.yaml';
    const [found] = await findings([changed((files) => files.set(config, (files.get(config) ?? '').replace('stages:', 'stage:')))]);
    expect(found?.map(({ validator, text }) => [validator, text])).toContainEqual([
      'scorecard',
      expect.stringContaining('unknown field "stage"'),
    ]);
  });
});

suite(`bundles and catalogs, by opm${skipped}`, () => {
  // biome-ignore lint/suspicious/noExplicitAny: documents of several schemas.
  type Document = any;
  const documents = (text: string): Document[] => parseAllDocuments(text, { version: '1.1' }).map((document) => document.toJS());
  const image = 'registry.example.com/bundles/example:1';
  const byContent = (left: object, right: object): number => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);
  const validate = (text: string): Promise<Ended> => runOpm('validate', written([{ path: 'catalog.yaml', text }]));

  test.each(Object.entries(BUNDLES))('%s: what opm makes of the bundle is what our catalog has', async (_name, bundle) => {
    const options = ['--output=json', '--migrate-level=bundle-object-to-csv-metadata', `--alpha-image-ref-template=${image}`];
    const { code, stdout, stderr } = await runOpm('render', written(bundle.files()), ...options);
    if (code !== 0) throw new Error(stderr);
    const theirs: Document = JSON.parse(stdout);
    const ours = documents(olmCatalog(bundle.files(), { image })).find(({ schema }) => schema === 'olm.bundle');
    const sorted = ({ properties, relatedImages, ...rest }: Document): object => ({
      ...rest,
      properties: [...properties].sort(byContent),
      relatedImages: [...relatedImages].sort((left, right) => (left.image < right.image ? -1 : 1)),
    });
    expect(sorted(ours)).toEqual(sorted(theirs));
  });

  test('render refuses a bundle whose ClusterServiceVersion is missing', async () => {
    const { code, stderr } = await runOpm('render', written(changed((files) => files.delete(CSV))));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ClusterServiceVersion|csv/i)]);
  });

  const first = olmCatalog(FILES, { image });
  const next = changed(
    csv(({ metadata, spec }) => {
      metadata.name = 'memcached-operator.v0.2.0';
      Object.assign(spec, { version: '0.2.0', replaces: 'memcached-operator.v0.1.0' });
    }),
  );
  const both = olmCatalog(next, { image: 'registry.example.com/bundles/example:2', previous: first });

  test.each([
    ...Object.entries(BUNDLES).map(([name, bundle]) => [name, olmCatalog(bundle.files(), { image })] as const),
    ['an upgrade', both] as const,
  ])('validate takes the catalog of %s', async (_name, text) => {
    expect(await validate(text)).toMatchObject({ code: 0 });
  });

  test.each(Object.entries(PLANTED_IN_CATALOG))(
    '%s: opm finds it in a catalog, and so do our rules',
    async (_name, { change, theirs, ours }) => {
      const all = documents(both);
      change(all);
      const text = catalogText(all);
      const { code, stderr } = await validate(text);
      expect([code, stderr]).toEqual([1, expect.stringMatching(theirs)]);
      expect(catalogProblems(text).join('\n')).toMatch(ours);
    },
  );
});

(opm.found && validators.found
  ? describeCluster
  : (name: string) => describe.skip(`${name}${skipped}`, () => test('opm', () => undefined)))(
  "ClusterServiceVersions under OLM's own definition",
  (cluster) => {
    const NAMESPACE = 'olm-tools';
    const kubectl = (...parameters: readonly string[]): Promise<Ended> =>
      run(cluster.connection.kubectl, '--kubeconfig', cluster.connection.kubeconfig, ...parameters);
    const create = (text: string): Promise<Ended> => {
      const file = join(written([{ path: 'object.yaml', text }]), 'object.yaml');
      return kubectl('create', '--validate=strict', '--namespace', NAMESPACE, '--filename', file);
    };
    beforeAll(async () => {
      const { stdout } = await run(toolOf(validators), '-definitions');
      const { metadata, ...definition } = JSON.parse(stdout);
      const named = { ...definition, metadata: { name: metadata.name, annotations: metadata.annotations } };
      await create(JSON.stringify(named)).then(({ code, stderr }) => expect([code, stderr]).toEqual([0, '']));
      // Discovery follows the condition Established a moment later.
      await eventually(async () => (await kubectl('get', metadata.name, '--all-namespaces')).code === 0);
      await kubectl('create', 'namespace', NAMESPACE);
    });
    afterAll(() => kubectl('delete', 'crd/clusterserviceversions.operators.coreos.com', `namespace/${NAMESPACE}`, '--wait=false'));

    const versionOf = (files: readonly PackageFile[]): string =>
      files.find(({ path }) => path.includes('clusterserviceversion'))?.text ?? '';

    test.each(Object.entries(BUNDLES))('%s: every field is one of it', async (_name, bundle) => {
      expect(await create(versionOf(bundle.files()))).toMatchObject({ code: 0, stderr: '' });
    });

    test('a field that it has not is refused', async () => {
      const { spec, ...rest } = parse(versionOf(FILES));
      const { stderr } = await create(JSON.stringify({ ...rest, metadata: { name: 'other' }, spec: { ...spec, webhookDefinitions: [] } }));
      expect(stderr).toContain('unknown field "spec.webhookDefinitions"');
    });
  },
);
