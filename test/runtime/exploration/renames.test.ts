import { explore } from '@keelson/testing';
import { defineController, defineCustomResource, defineOperator, k, own, release } from 'keelson';
import { ConfigMap, Secret, ServiceAccount } from 'keelson/kinds';
import { z } from 'zod';

const Site = defineCustomResource({
  group: 'renamed.example.com',
  kind: 'Site',
  versions: { v1: { spec: z.object({ text: z.string() }), status: z.object({ text: z.string().optional(), conditions: k.conditions() }) } },
});

/** The release before knows the name of the one after, so that there is a way back. */
function operator(name: string, other: string, owns: 'configs' | 'secrets') {
  const child = { configs: ConfigMap, secrets: Secret }[owns];
  const gone = owns === 'configs' ? { secrets: release(Secret, 'delete') } : { configs: release(ConfigMap, 'delete') };
  const controller = defineController({
    name,
    for: Site,
    formerNames: [other],
    owns: { children: child as typeof ConfigMap, accounts: own(ServiceAccount, { existence: 'once' }) },
    released: gone,
    reconcile: ({ object: { metadata, spec }, done }) => {
      const content = { metadata: { name: metadata.name } };
      const children =
        owns === 'configs'
          ? [ConfigMap({ ...content, data: { text: spec.text } })]
          : [Secret({ ...content, stringData: { text: spec.text } })];
      return done({ owned: { children: children as ConfigMap[], accounts: [ServiceAccount(content)] }, status: { text: spec.text } });
    },
    finalize: () => undefined,
  });
  return defineOperator({ name: 'site-operator', controllers: [controller] });
}

test('H43: a controller that gets another name, and whose handle goes, leaves nothing of before, whatever goes wrong and however often it comes back', async () => {
  const { disturbances } = await explore(
    { releases: [operator('sites', 'pages', 'configs'), operator('pages', 'sites', 'secrets')] },
    {
      name: 'renamed',
      story: ({ apply, change, remove }) => [
        apply(Site({ metadata: { name: 'a' }, spec: { text: 'x' } })),
        apply(Site({ metadata: { name: 'b' }, spec: { text: 'x' } })),
        change(Site, 'a', { spec: { text: 'y' } }),
        remove(Site, 'b'),
        change(Site, 'a', { spec: { text: 'z' } }),
      ],
      faults: { mistakes: false },
      seeds: 60,
    },
  );
  expect(disturbances['release']).toBeGreaterThan(60);
});
