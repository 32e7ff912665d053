import { existsSync, writeFileSync } from 'node:fs';
import { defineController, defineCustomResource, defineOperator, k, type Operator, type Resource } from 'keelson';
import { ConfigMap, Deployment, Service } from 'keelson/kinds';
import { z } from 'zod';

/** Each object owns three children, and its status says what they were made of. */
export const Website = defineCustomResource({
  group: 'disturbed.example.com',
  kind: 'Website',
  versions: {
    v1: {
      spec: z.object({ title: z.string().default('untitled') }),
      status: z.object({ title: z.string().optional(), observedGeneration: k.int64().optional(), conditions: k.conditions() }),
    },
  },
});
interface Website extends Resource<typeof Website> {}

/** The title at which a replica that has a gate stands still, in the middle of its run. */
export const HELD = 'held';
/** Path of the gate of this process: `<path>.held` tells that it stands still, `<path>.open` lets it go on. */
export const GATE = 'DISTURBANCES_GATE';
const LOOK_MS = 20;

/** Nothing of the process runs meanwhile, as if it had been stopped there: no timer, no renewal of the Lease. */
function standStill(gate: string): void {
  writeFileSync(`${gate}.held`, '');
  const never = new Int32Array(new SharedArrayBuffer(4));
  while (!existsSync(`${gate}.open`)) Atomics.wait(never, 0, 0, LOOK_MS);
}

function childrenOf({ metadata: { name }, spec: { title } }: Website) {
  const labels = { website: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
  return {
    configs: [ConfigMap({ metadata: { name, labels }, data: { title } })],
    deployments: [Deployment({ metadata: { name, labels }, spec: { replicas: 0, selector: { matchLabels: labels }, template } })],
    services: [Service({ metadata: { name, labels }, spec: { selector: labels, ports: [{ port: 80 }] } })],
  };
}

const website = defineController({
  name: 'website',
  for: Website,
  owns: { configs: ConfigMap, deployments: Deployment, services: Service },
  reconcile({ object, log, done }) {
    const { title } = object.spec;
    log.info('looked at', { name: object.metadata.name, title, uid: object.metadata.uid });
    const gate = process.env[GATE];
    if (title === HELD && gate !== undefined) standStill(gate);
    return done({ owned: childrenOf(object), status: { title }, conditions: [{ type: 'Ready', status: true, reason: 'Made' }] });
  },
});

export const operator: Operator = defineOperator({ name: 'disturbed', controllers: [website] });
