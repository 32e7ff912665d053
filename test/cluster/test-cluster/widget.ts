import { defineController, defineCustomResource, defineOperator, k } from 'keelson';
import { ConfigMap, Secret } from 'keelson/kinds/core/v1';
import { z } from 'zod';

export const Widget = defineCustomResource({
  group: 'suite.example.com',
  kind: 'Widget',
  versions: {
    v1: {
      spec: z.object({ size: k.int32().min(1).max(9).default(3), colour: z.enum(['red', 'blue']).optional() }),
      status: z.object({ replicas: k.int32().optional(), conditions: k.conditions() }),
      rules: [{ rule: "!has(self.spec.colour) || self.spec.colour != 'red' || self.spec.size > 1", message: 'red ones are larger than 1' }],
    },
  },
});

const controller = defineController({
  name: 'widget',
  for: Widget,
  owns: { maps: ConfigMap },
  reconcile: ({ object, done }) => done({ owned: { maps: [ConfigMap({ metadata: { name: object.metadata.name } })] } }),
});

export const operator = defineOperator({ name: 'widget-operator', controllers: [controller] });

export { ConfigMap, Secret };
