import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ConfigMap } from 'keelson/kinds';
import { z } from 'zod';
import { explorations } from './explorations.js';

const Page = defineCustomResource({
  group: 'steered.example.com',
  kind: 'Page',
  versions: {
    v1: {
      spec: z.object({ title: z.string() }),
      status: z.object({
        title: z.string().optional(),
        lastHandledReconcile: z.string().optional(),
        observedGeneration: k.int64().optional(),
        conditions: k.conditions(),
      }),
    },
  },
});
const controller = defineController({
  name: 'page',
  for: Page,
  owns: { configs: ConfigMap },
  reconcile: ({ object: { metadata, spec }, done }) =>
    done({
      owned: { configs: [ConfigMap({ metadata: { name: metadata.name }, data: { title: spec.title } })] },
      status: { title: spec.title },
    }),
  // The runtime holds a finalizer: what is paused and deleted must go all the same.
  finalize: () => undefined,
});
const operator = defineOperator({ name: 'page-operator', controllers: [controller] });

const page = (name: string, annotations: Readonly<Record<string, string>> = {}) =>
  Page({ metadata: { name, annotations }, spec: { title: 'one' } });
const KEY = 'steered.example.com';

explorations(operator, {
  name: 'steered',
  story: ({ apply, change, remove }) => [
    apply(page('a')),
    apply(page('born-paused', { [`${KEY}/paused`]: 'true' })),
    change(Page, 'a', { metadata: { annotations: { [`${KEY}/paused`]: 'true' } } }),
    change(Page, 'a', { spec: { title: 'two' } }),
    change(Page, 'born-paused', { metadata: { annotations: { [`${KEY}/paused`]: null } } }),
    change(Page, 'a', { metadata: { annotations: { [`${KEY}/paused`]: null, [`${KEY}/mode`]: 'observe' } } }),
    change(Page, 'a', { spec: { title: 'three' } }),
    change(Page, 'a', { metadata: { annotations: { [`${KEY}/mode`]: null, [`${KEY}/reconcile`]: 'now' } } }),
    change(Page, 'born-paused', { metadata: { annotations: { [`${KEY}/paused`]: 'true' } } }),
    remove(Page, 'born-paused'),
  ],
});
