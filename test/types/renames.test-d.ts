import { defineController, defineCustomResource, defineOperator, own, release } from 'keelson';
import { ConfigMap, Job } from 'keelson/kinds';
import { z } from 'zod';

const Page = defineCustomResource({
  group: 'types.example.com',
  kind: 'Page',
  versions: { v1: { spec: z.object({ title: z.string() }) } },
});
const shared = { name: 'pages', for: Page } as const;

const controller = defineController({
  ...shared,
  formerNames: ['sites'],
  formerFinalizers: ['types.example.com/cleanup'],
  owns: { jobs: own(Job, { existence: 'once', formerNames: ['starts'] }) },
  released: { configs: release(ConfigMap, 'delete'), others: release(Job, 'keep', { select: { labels: { app: 'pages' } } }) },
  reconcile: ({ jobs, done, ...context }) => {
    jobs.list();
    // @ts-expect-error a released handle is not in the context
    void context.configs;
    return done();
  },
});
defineOperator({ name: 'page-operator', formerNames: ['site-operator'], controllers: [controller] });

// @ts-expect-error what becomes of the children must be said
release(ConfigMap);
// @ts-expect-error 'delete' or 'keep'
release(ConfigMap, 'orphan');
// @ts-expect-error a bare kind does not say it
defineController({ ...shared, released: { configs: ConfigMap }, reconcile: ({ done }) => done() });
