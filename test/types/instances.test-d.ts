import { expectTypeOf } from 'expect-type';
import { type ContextOf, declareAccess, defineController, defineCustomResource, select } from 'keelson';
import { ConfigMap, Pod } from 'keelson/kinds';
import { z } from 'zod';

const Site = defineCustomResource({
  group: 'a.example.com',
  kind: 'Site',
  versions: {
    v1: {
      spec: z.object({
        className: z.string(),
        place: z.object({ zone: z.string() }).optional(),
        size: z.number(),
        tags: z.array(z.string()),
      }),
      status: z.object({ phase: z.string().optional() }),
      selectableFields: ['.spec.className', '.spec.place.zone', '.spec.size', '.status.phase'],
    },
  },
});

// The object and its status are those of the kind.
export const byLabels = defineController({
  name: 'by-labels',
  for: select(Site, { labels: { class: 'a' }, labelSelector: { matchExpressions: [{ key: 'old', operator: 'DoesNotExist' }] } }),
  owns: { configs: ConfigMap },
  reconcile({ object, done }) {
    expectTypeOf(object.spec.size).toEqualTypeOf<number>();
    return done({ owned: { configs: [ConfigMap({ metadata: { name: 'a' } })] }, status: { phase: 'ok' } });
  },
});

export const byFields = defineController({
  name: 'by-fields',
  for: select(Site, { fields: { 'spec.className': 'a', 'spec.place.zone': 'b', 'status.phase': '', 'metadata.name': 'one' } }),
  reconcile: ({ done }) => done(),
});

export const ofOthers = defineController({
  name: 'of-others',
  for: select(Pod, { fields: { 'spec.nodeName': 'node-1', 'status.phase': 'Running' } }),
  reconcile({ object, done }) {
    expectTypeOf(object.spec?.nodeName).toEqualTypeOf<string | undefined>();
    return done();
  },
});

const access = declareAccess({ for: select(Site, { labels: { class: 'a' } }), owns: { configs: ConfigMap } });
expectTypeOf<ContextOf<typeof access>['object']['spec']['className']>().toEqualTypeOf<string>();

// @ts-expect-error a path that the kind does not have
select(Site, { fields: { 'spec.clas': 'a' } });
// @ts-expect-error a field that is not one value
select(Site, { fields: { 'spec.tags': 'a' } });
// @ts-expect-error the text of a selector is given at installation
select(Site, { labels: 'class=a' });
// @ts-expect-error a label has a text
select(Site, { labels: { class: 1 } });
// @ts-expect-error namespaces are the installation's
select(Site, { labels: { class: 'a' }, namespaces: ['shop'] });
