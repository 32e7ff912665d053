import { type ExploreOptions, explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, own } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';
import type { Planted } from './planted.js';

const Page = defineCustomResource({
  group: 'planted.example.com',
  kind: 'Page',
  versions: { v1: { spec: z.object({ title: z.string() }), status: z.object({}) } },
});

/** It compares the whole object with the one that it made last: the resource version among it. */
const bug = defineController({
  name: 'pages',
  for: Page,
  owns: { configs: own(ConfigMap, { verbs: ['create', 'patch'] }) },
  async reconcile({ object, configs, done }) {
    const { name } = object.metadata;
    const config = configs.get(name);
    const data = { title: object.spec.title };
    if (config === undefined) await configs.create(ConfigMap({ metadata: { name }, data: { ...data, version: '' } }));
    else if (config.data?.['version'] !== config.metadata.resourceVersion)
      await configs.patch(name, { data: { ...data, version: config.metadata.resourceVersion } });
    return done();
  },
});

const twin = defineController({
  name: 'pages',
  for: Page,
  owns: { configs: own(ConfigMap, { verbs: ['create', 'patch'] }) },
  async reconcile({ object, configs, done }) {
    const { name } = object.metadata;
    const config = configs.get(name);
    const data = { title: object.spec.title };
    if (config === undefined) await configs.create(ConfigMap({ metadata: { name }, data }));
    else if (config.data?.['title'] !== data.title) await configs.patch(name, { data });
    return done();
  },
});

const options: ExploreOptions = {
  story: ({ apply, change }) => [
    apply(Page({ metadata: { name: 'a' }, spec: { title: 'A' } })),
    change(Page, 'a', { spec: { title: 'B' } }),
  ],
};
const operatorOf = (controller: Controller) => defineOperator({ name: 'page-operator', controllers: [controller] });

export const volatileFields: Planted = {
  name: 'a comparison of volatile fields',
  bug: (seeds) => explore(operatorOf(bug), { ...options, seeds }),
  twin: (seeds) => explore(operatorOf(twin), { ...options, seeds }),
  says: [/writes/, /patch configmaps\/a/],
};
