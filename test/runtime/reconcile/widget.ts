import {
  type ContextOf,
  type Done,
  declareAccess,
  defineController,
  defineCustomResource,
  defineOperator,
  type FinalContext,
  k,
  type Operator,
  type Resource,
  toReferrers,
  watch,
} from 'keelson';
import { ConfigMap, Node, Pod, Secret } from 'keelson/kinds';
import { z } from 'zod';

export const Widget = defineCustomResource({
  group: 'test.example.com',
  kind: 'Widget',
  versions: {
    v1: {
      spec: z.object({ size: k.int32().max(100).default(1), secret: z.string().optional() }),
      status: z.object({ size: k.int32().optional(), conditions: k.conditions() }),
    },
  },
});
export interface Widget extends Resource<typeof Widget> {}
type WidgetStatus = NonNullable<Widget['status']>;

const access = declareAccess({
  for: Widget,
  owns: { configs: ConfigMap },
  watches: {
    secrets: watch(Secret, {
      enqueue: toReferrers(Widget, ({ spec }) => [{ name: spec.secret }]),
      verbs: ['create', 'delete'],
    }),
    pods: watch(Pod, {
      enqueue: ({ metadata }) => {
        const name = metadata.labels?.['widget'];
        if (name === 'broken') throw new Error('this label breaks it');
        return name === undefined ? [] : [{ name }];
      },
      verbs: ['create', 'delete', 'patch', 'apply', 'evict'],
      indexes: { node: ({ spec }) => (spec.nodeName === undefined ? [] : [spec.nodeName]) },
    }),
  },
  reads: { nodes: Node },
});

export type WidgetContext = ContextOf<typeof access>;

export interface Behaviour {
  reconcile: (context: WidgetContext) => Done | Promise<Done>;
  finalize?: (
    context: Omit<WidgetContext, 'done'> & FinalContext<Widget, WidgetStatus>,
  ) => void | Done | Promise<void> | Promise<Done | undefined>;
}

/** An operator that does what a test says. */
export function widgetOperator(behaviour: Behaviour): Operator {
  const { reconcile, finalize } = behaviour;
  const named = { name: 'widget', ...access, reconcile: (context: WidgetContext) => reconcile(context) };
  const controller =
    finalize === undefined
      ? defineController(named)
      : defineController({ ...named, finalize: (context) => finalize(context as unknown as WidgetContext) });
  return defineOperator({ name: 'widget-operator', controllers: [controller] });
}
