/** A program in the words of a user's. Each ends by itself, and writes what must be the same as under Node. */
export interface Program {
  /** The feature that the program uses. */
  readonly name: string;
  /** The text of an ES module, or the parameters of the command `keelson`. */
  readonly run: string | readonly string[];
}

const DEFINITION = `
import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';

const Greeting = defineCustomResource({
  group: 'demo.example.com',
  kind: 'Greeting',
  versions: { v1: { spec: z.object({ to: z.string().max(40), times: k.int32().min(1).default(1) }), status: z.object({ said: z.string().optional() }) } },
});
const controller = defineController({
  name: 'greeting',
  for: Greeting,
  owns: { texts: ConfigMap },
  reconcile({ object, done }) {
    const text = 'hello ' + object.spec.to;
    return done({ owned: { texts: [ConfigMap({ metadata: { name: object.metadata.name }, data: { text } })] }, status: { said: text } });
  },
});
const operator = defineOperator({ name: 'greeter', controllers: [controller] });
`;

const IMAGE = 'registry.example.com/greeter:1.0.0';

export const PROGRAMS: readonly Program[] = [
  {
    name: 'definitions: `keelson`, `keelson/kinds`',
    run: `${DEFINITION}console.log(JSON.stringify([operator, Greeting.definition ?? Greeting]));`,
  },
  {
    name: 'synthesis: `keelson/constructs` with cdk8s',
    run: `import { App, Chart, Testing } from 'cdk8s';
import { Operator } from 'keelson/constructs';
${DEFINITION}
const chart = new Chart(new App(), 'greeter', { namespace: 'greeter' });
new Operator(chart, 'operator', { operator, image: '${IMAGE}' });
console.log(JSON.stringify(Testing.synth(chart)));`,
  },
  {
    name: 'charts: `keelson/packaging`',
    run: `import { defineOperatorPackage, helmChart } from 'keelson/packaging';
${DEFINITION}
const greeter = defineOperatorPackage({ operator, image: '${IMAGE}', version: '1.0.0', namespace: 'greeter' });
console.log(JSON.stringify(helmChart(greeter)));`,
  },
  {
    name: 'certificates: `keelson/certificates`',
    run: `import { CertificateAuthority } from 'keelson/certificates';
const authority = CertificateAuthority.create({ commonName: 'demo' });
const { certificate } = authority.issueServing({ dnsNames: ['demo.svc'] });
console.log(certificate.split('\\n')[0]);`,
  },
  { name: 'the runtime: import of `@keelson/runtime`', run: `import { start } from '@keelson/runtime';\nconsole.log(typeof start);` },
  {
    name: 'one run of a reconciler: `reconcileOnce` of `@keelson/testing`',
    run: `import { reconcileOnce } from '@keelson/testing';
${DEFINITION}
const { owned } = await reconcileOnce(controller, { object: Greeting({ metadata: { name: 'a' }, spec: { to: 'world' } }) });
console.log(JSON.stringify(owned));`,
  },
  {
    name: 'an operator on a `TestCluster` of `@keelson/testing`',
    run: `import { TestCluster } from '@keelson/testing';
${DEFINITION}
const cluster = await TestCluster.start({ operator });
const running = await cluster.startOperator();
await cluster.create(Greeting({ metadata: { name: 'a' }, spec: { to: 'world' } }));
const { status } = await cluster.until(Greeting, 'a', { status: { said: 'hello world' } });
console.log(status.said);
await running.stop();
await cluster.close();`,
  },
  {
    name: 'the server alone: `@keelson/api-server`',
    run: `import { ApiServer } from '@keelson/api-server';
const server = await ApiServer.start();
console.log(typeof server.url);
await server.close();`,
  },
  { name: '`keelson --help`', run: ['--help'] },
  { name: '`keelson init`', run: ['init', 'made', '--group', 'cache.example.com', '--kind', 'Memcached', '--yes'] },
];
