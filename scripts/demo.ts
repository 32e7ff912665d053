import { rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { ANSI, countsByKind, manifestTree, PLAIN, readManifests } from './demo/index.js';

/**
 * `npm run demo`: synthesizes examples/memcached as `cdk8s synth` does, and shows what was made and which rights it takes; then runs the operator on an API
 * server in this process, and shows what it does.
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

function next(folder: string, [operatorFile = '']: readonly string[], bold: (text: string) => string): string {
  return `${bold('Next')}

  kubectl apply --server-side -f ${folder}/${operatorFile}
  kubectl explain memcached.spec

examples/memcached/README.md tells how its image is built; until it runs, nobody answers the webhooks, and the API server refuses the sample.`;
}

demo().catch(async (error: unknown) => {
  const { OperatorError } = await import('keelson');
  // A bad definition, or a tree that cdk8s refuses, explains itself; anything else needs its stack.
  const explained = OperatorError.isOperatorError(error) || (error instanceof Error && error.message.startsWith('Validation failed'));
  console.error(explained ? String(error) : error);
  process.exitCode = 1;
});
