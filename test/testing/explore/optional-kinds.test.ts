import { explore } from '@keelson/testing';
import { customResourceDefinitionManifest, defineController, defineCustomResource, defineOperator, own, read } from 'keelson';
import { CustomResourceDefinition } from 'keelson/kinds';
import { z } from 'zod';
import { ownSeeds } from './own-seeds.js';

const Site = defineCustomResource({
  group: 'optional.example.com',
  kind: 'Site',
  versions: { v1: { spec: z.object({ text: z.string() }) } },
});
const ofOthers = (kind: string) =>
  defineCustomResource({ group: 'others.example.com', kind, versions: { v1: { spec: z.object({ text: z.string().optional() }) } } });
const Monitor = ofOthers('Monitor');
const Issuer = ofOthers('Issuer');

const sites = defineController({
  name: 'sites',
  for: Site,
  owns: { monitors: own(Monitor, { optional: true }) },
  reads: { issuers: read(Issuer, { optional: true }) },
  async reconcile({ object: { metadata, spec }, monitors, issuers, done }) {
    const text = issuers.isServed ? `${spec.text} of ${(await issuers.list()).length}` : spec.text;
    return done({ owned: { monitors: monitors.isServed ? [Monitor({ metadata: { name: metadata.name }, spec: { text } })] : [] } });
  },
});
const operator = defineOperator({ name: 'site-operator', controllers: [sites] });
const site = (name: string, text: string) => Site({ metadata: { name }, spec: { text } });

ownSeeds();

test('an operator without the kinds of others comes to the same end from every seed', async () => {
  const { disturbances } = await explore(operator, {
    story: ({ apply, change, remove }) => [
      apply(site('a', 'x')),
      change(Site, 'a', { spec: { text: 'y' } }),
      apply(site('b', 'z')),
      remove(Site, 'a'),
    ],
    seeds: 30,
  });
  expect(disturbances['kill']).toBeGreaterThan(10);
});

test('a kind that comes, goes and comes again amid the story leads to the same end from every seed', async () => {
  const { disturbances } = await explore(operator, {
    name: 'site-operator-kinds',
    story: ({ apply, change, remove, disturb }) => {
      const install = apply(customResourceDefinitionManifest(Monitor) as never);
      const gone = disturb('the kind is gone', (stage) =>
        stage.until(
          'the definition is gone',
          async () => (await stage.cluster.find(CustomResourceDefinition, 'monitors.others.example.com')) === undefined,
        ),
      );
      const withdraw = remove(CustomResourceDefinition, 'monitors.others.example.com');
      return [
        apply(site('a', 'x')),
        install,
        change(Site, 'a', { spec: { text: 'y' } }),
        withdraw,
        gone,
        apply(site('b', 'z')),
        install,
        withdraw,
        gone,
      ];
    },
    // The API server deletes the objects of a definition that goes: how many there are by then depends on the pace.
    judges: { made: false, deleted: false },
    seeds: 30,
  });
  expect(disturbances['kill']).toBeGreaterThan(10);
});
