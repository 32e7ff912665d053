import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ExistingCluster, TestCluster } from '@keelson/testing';
import { Deployment, Pod } from 'keelson/kinds';
import { packPackages } from '../../../scripts/build/pack.js';
import { findImageBuilder } from '../../../scripts/cluster/image-builder.js';
import { nodeObstacle, nodeProgram } from '../../../scripts/fetched/index.js';
import { configOf } from '../../../scripts/images/dockerfile.js';
import { NODE_IMAGE, NODE_IMAGE_LINE, nodeImage } from '../../../scripts/images/node-image.js';
import { emptyWork } from '../../cli/scaffolded.js';
import { DEADLINE_MS } from '../../deadline.cjs';
import { npmFolder } from '../../npm-package/fetched-programs.js';

import { documentsOf, synthesizeExamples } from '../manifests/index.js';
import { exampleProject, ImageBuilder, newProject, npmMounts, readSavedImage, type SavedImage, savedLayers } from './builder/index.js';
import { applyManifests, confinementOf, containerProcess, deleteManifests, describeNode, operatorFile, timesOf } from './harness/index.js';

const ROOT = join(__dirname, '../../..');
const PROJECT = 'my-operator';
/** Its entry point is another file, in another format. */
const COMMONJS = 'my-commonjs-operator';
const PROJECTS = [PROJECT, COMMONJS];
const EXAMPLES = ['cronjob', 'etcd', 'memcached', 'prometheus', 'sidecarset'];
/** Examples that other suites install too, by the custom resources that they may have left. */
const SHARED = { memcached: 'memcacheds', sidecarset: 'sidecarsets' };
/** Its webhooks see each new Pod of the node. */
const LAST = 'sidecarset';
const NAMES = [...PROJECTS, ...EXAMPLES];
/** Of an operator with all that it needs, Node aside: twice what the largest has. */
const MOST_BYTES = 5_000_000;

const search = findImageBuilder();
if (!search.found && process.env['CI']) throw new Error(search.reason);
const absence = search.found ? nodeObstacle(NODE_IMAGE_LINE) : search.reason;

const suite: typeof describeNode =
  absence === undefined ? describeNode : (name) => describe.skip(`${name} [skipped: ${absence}]`, () => test('images', () => undefined));

/** An image that was built of a Dockerfile. */
interface Built {
  readonly dockerfile: string;
  readonly image: SavedImage;
}

const imageOf = (name: string): string => `registry.example.com/${name}:of-its-dockerfile`;

suite('images of Dockerfiles', (node) => {
  const built = new Map<string, Built>();
  let cluster: ExistingCluster;
  const projects = new Map<string, string>();
  let base: readonly string[];

  beforeAll(async () => {
    const work = emptyWork('images');
    const archive = join(work, 'image.tar');
    const builder = new ImageBuilder(search.found ? search.folder : '');
    try {
      writeFileSync(archive, nodeImage({ node: nodeProgram(NODE_IMAGE_LINE), npm: npmFolder() }).archive);
      base = savedLayers(archive);
      const tarballs = join(work, 'npm');
      packPackages(tarballs);
      const [project] = await Promise.all([newProject(work, { name: PROJECT, tarballs }), builder.load(NODE_IMAGE, archive)]);
      projects.set(PROJECT, project).set(COMMONJS, await newProject(work, { name: COMMONJS, tarballs, format: 'commonjs' }));
      const mounts = await npmMounts(work);
      for (const name of NAMES) {
        const context = projects.get(name) ?? exampleProject(join(work, 'examples'), { name, project });
        await builder.build({ context, name: imageOf(name), mounts });
        await builder.save(imageOf(name), archive);
        await node.importImage(archive);
        built.set(name, { dockerfile: readFileSync(join(context, 'Dockerfile'), 'utf8'), image: readSavedImage(archive, base) });
      }
    } finally {
      builder.remove();
      rmSync(archive, { force: true });
    }
    cluster = await TestCluster.start({ server: 'existing', kubeconfig: node.kubeconfig, timeout: DEADLINE_MS });
  });
  afterAll(async () => {
    cluster?.client.close();
    await node.removeImages(...[...built.keys()].map(imageOf));
  });

  const get = (name: string): Built => {
    const found = built.get(name);
    if (found === undefined) throw new Error(`no image was built for ${name}`);
    return found;
  };

  test.each(NAMES)('%s: containers start as its Dockerfile says, without root and without a shell', (name) => {
    const { dockerfile, image } = get(name);
    const { entrypoint, user, workingDirectory, environment } = configOf(dockerfile);
    expect(image.config).toMatchObject({ Entrypoint: entrypoint, User: user, WorkingDir: workingDirectory });
    expect(image.config.Cmd ?? []).toEqual([]);
    expect(image.config.Env).toEqual(
      expect.arrayContaining(Object.entries(environment ?? {}).map(([variable, value]) => `${variable}=${value}`)),
    );
    expect(image.config.User).toBe('65532:65532');
  });

  test.each(NAMES)('%s: on top of Node there is the bundle, which its user can read and not write, and nothing else', (name) => {
    const { layers, added, config } = get(name).image;
    expect(layers.slice(0, base.length)).toEqual(base);
    const files = added.filter(({ mode }) => !mode.startsWith('d'));
    expect(files.filter(({ path }) => !/^app\/build\/[\w.-]+\.[cm]js$/.test(path))).toEqual([]);
    expect(files.map(({ path }) => path)).toContain(`app/${config.Entrypoint?.[1]}`);
    expect(added.filter(({ mode, owner }) => owner !== '0/0' || !/^(-rw-r--r--|drwxr-xr-x)$/.test(mode))).toEqual([]);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    report(`${name}: ${files.length} files of ${(bytes / 1e6).toFixed(1)} MB on top of Node`);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });

  test.each(PROJECTS)(
    'the operator of keelson init, %s, is ready in a Pod, unprivileged, and serves its kind and its webhooks',
    async (name) => {
      const project = projects.get(name) ?? '';
      synthesize(name, project);
      const [system, samples] = [name, 'samples'].map((file) => join(project, `dist/${file}.k8s.yaml`)) as [string, string];
      await applyManifests(node, system);
      await expectReady(system);
      // The API server learns a moment later than the operator that the webhooks are served, and what it is to trust.
      await cluster.until(async () => {
        const { code, stderr } = await node.kubectl(['apply', '--server-side', `--filename=${samples}`]);
        if (code !== 0 && !stderr.includes('failed calling webhook')) throw new Error(stderr);
        return code === 0;
      });
      await cluster.until(Deployment, 'default/sample', { spec: { replicas: 2 } });
      await deleteManifests(node, samples, 'websites');
      // The other project has the same kind, and its webhooks would be called as well.
      await deleteManifests(node, system, 'websites');
    },
  );

  test('the operators of the examples are ready in Pods, unprivileged', async () => {
    const { directory, remove } = await synthesizeExamples(EXAMPLES);
    const fileOf = (example: string): string => join(directory, operatorFile(example));
    const deleteShared = () =>
      Promise.all(Object.entries(SHARED).map(([name, resources]) => deleteManifests(node, fileOf(name), resources)));
    const install = async (example: string): Promise<void> => {
      nameImage(fileOf(example), example);
      await applyManifests(node, fileOf(example));
      await expectReady(fileOf(example));
    };
    try {
      await deleteShared();
      await Promise.all(EXAMPLES.filter((example) => example !== LAST).map(install));
      await install(LAST);
      // The others go with the node.
      await deleteShared();
    } finally {
      remove();
    }
  });

  /** `IMAGE=… npm run synth`, with the sources in place of the package. */
  function synthesize(name: string, project: string): void {
    const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
    const env = { ...process.env, IMAGE: imageOf(name) };
    execFileSync(process.execPath, [tsx, '--tsconfig', join(ROOT, 'tsconfig.json'), 'src/main.ts'], { cwd: project, env });
  }

  async function expectReady(manifests: string): Promise<void> {
    const documents = documentsOf(manifests);
    const { metadata, spec } = documents.find(({ kind }) => kind === 'Deployment') as unknown as Deployment;
    const { name = '', namespace = '' } = metadata;
    const standard = documents.find(({ kind }) => kind === 'Namespace')?.metadata.labels?.['pod-security.kubernetes.io/enforce'];
    expect(standard).toBe('restricted');
    await cluster.until(Deployment, `${namespace}/${name}`, { status: { readyReplicas: spec?.replicas ?? 1 } });
    const pods = await cluster.list(Pod, { namespace, labels: { 'app.kubernetes.io/component': 'operator' } });
    expect(pods).toHaveLength(spec?.replicas ?? 1);
    for (const pod of pods) {
      const pid = containerProcess(pod.metadata.uid, 'node');
      const unprivileged = Array.from({ length: 4 }, () => '65532');
      expect(confinementOf(pid)).toEqual({ users: unprivileged, groups: unprivileged, rootIsReadOnly: true });
      await reportStart(pod, pid);
    }
  }

  /** A figure for who reads: how soon a process answers depends on what else the machine does. */
  async function reportStart({ metadata }: Pod, pid: number): Promise<void> {
    const { startedAt, cpuMs, waitedMs } = timesOf(pid);
    const { stdout } = await node.kubectl(['logs', `--namespace=${metadata.namespace}`, metadata.name]);
    const serving = stdout.split('\n').find((line) => line.includes('"serving webhooks"'));
    if (serving === undefined) throw new Error(`${metadata.name} has not logged that it serves webhooks:\n${stdout}`);
    const ms = Date.parse((JSON.parse(serving) as { readonly time: string }).time) - startedAt;
    const sofar = `${cpuMs.toFixed(0)} ms of CPU time so far, ${waitedMs.toFixed(0)} ms of waiting for a CPU`;
    report(`${metadata.name}: serves ${ms.toFixed(0)} ms after its process has started; ${sofar}`);
  }
});

/** In the manifests that an example synthesizes. */
function nameImage(file: string, example: string): void {
  const text = readFileSync(file, 'utf8');
  const synthesized = `image: registry.example.com/${example}-operator:0.1.0\n`;
  expect(text).toContain(synthesized);
  writeFileSync(file, text.replace(synthesized, `image: ${imageOf(example)}\n`));
}

const report = (line: string): boolean => process.stderr.write(`${line}\n`);
