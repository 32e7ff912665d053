import { rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { ANSI, countsByKind, findEtcd, manifestTree, PLAIN, readManifests, type Style } from './demo/index.js';

/**
 * `npm run demo`: synthesizes examples/memcached as `cdk8s synth` does, and shows what was made and which rights it takes; then runs the operator on an API
 * server in this process, and shows what it does; then, where there is an etcd, examples/etcd with members that are processes.
 */
async function demo(): Promise<void> {
  const style = process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? ANSI : PLAIN;
  const outdir = resolve(process.env['CDK8S_OUTDIR'] ?? 'dist');
  const folder = relative('.', outdir) || '.';
  // As cdk8s does: a file of an earlier synthesis must not be taken for one of this.
  rmSync(outdir, { recursive: true, force: true });
  process.env['CDK8S_OUTDIR'] = outdir;

  const start = performance.now();
  const rights = await synthesize();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);

  const files = readManifests(outdir);
  console.log(
    [
      `examples/memcached, synthesized in ${seconds} s: ${countsByKind(files)}`,
      manifestTree(folder, files, style),
      `${style.bold('Rights, and the declarations that they follow from')}\n\n${rights}`,
      `${style.bold('The operator at work')}\n`,
    ].join('\n\n'),
  );
  const { live } = await import('./demo/live.js');
  await live({ style, print: console.log });
  console.log(`\n${style.bold('The etcd operator, with members that are processes')}\n`);
  await showMembers(style);
  console.log(
    `\n${next(
      folder,
      files.map(({ name }) => name),
      style.bold,
    )}`,
  );
}

/** Runs the example's app, and gives the table of the rights that it grants. */
async function synthesize(): Promise<string> {
  const [{ app }, { operator }, { permissionsTable }, { Operator }] = await Promise.all([
    import('../examples/memcached/main.js'),
    import('../examples/memcached/memcached-operator.js'),
    import('keelson'),
    import('keelson/constructs'),
  ]);
  const installed = app.node.findAll().find((construct) => construct instanceof Operator);
  if (installed === undefined) throw new Error('examples/memcached/main.ts installs no operator');
  return permissionsTable(operator, installed.rbac.permissionsOptions);
}

async function showMembers(style: Style): Promise<void> {
  if (process.platform !== 'linux') {
    console.log('  Pods run as processes on Linux alone: see docs/pods-as-processes.md.');
    return;
  }
  const etcd = findEtcd();
  if (etcd.found) {
    const { members } = await import('./demo/members.js');
    await members({ style, print: console.log, path: etcd.path, version: etcd.version });
    return;
  }
  const refused = etcd.refused.map((line) => `  ${line}\n`).join('');
  console.log(`${refused}  There is no etcd here that it can run. Either of these gets one:

  npx tsx scripts/cluster/build-tools.ts etcd-3.5   # builds it with Go, within a few minutes, into the cache of this project
  put etcd 3.5.11 or newer on the PATH              # https://etcd.io/docs/latest/install/`);
}

function next(folder: string, [operatorFile = '']: readonly string[], bold: (text: string) => string): string {
  return `${bold('Next')}

  kubectl apply --server-side -f ${folder}/${operatorFile}
  kubectl explain memcached.spec

examples/memcached/README.md shows how its image is built; until it runs, no server answers the webhooks, and the API server refuses the sample.`;
}

demo().catch(async (error: unknown) => {
  const { OperatorError } = await import('keelson');
  // A bad definition, or a tree that cdk8s refuses, explains itself; anything else needs its stack.
  const explained = OperatorError.isOperatorError(error) || (error instanceof Error && error.message.startsWith('Validation failed'));
  console.error(explained ? String(error) : error);
  process.exitCode = 1;
});
