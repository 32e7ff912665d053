import { merge } from 'keelson';
import { ConfigMap, Pod } from 'keelson/kinds';
import { RunningController } from '../harness/running-controller.js';
import { type Behaviour, Widget, type WidgetContext, widgetOperator } from './widget.js';

let running: RunningController;
afterEach(() => running.close());

test.each<[string, (context: WidgetContext) => unknown, string]>([
  ['nothing', () => undefined, 'reconcile returned undefined; end it with return done({ ... })'],
  ['what done did not make', () => ({ owned: [] }), 'reconcile returned {"owned":[]}'],
  ['a wrong list', ({ done }) => done({ owned: { configs: {} as never } }), 'done({ owned }): configs: {} is not a list of objects'],
  [
    'a wrong duration',
    ({ done }) => done({ requeueAfter: '5 minutes' as never }),
    'done({ requeueAfter }): "5 minutes" is not a span of time such as 30s, or milliseconds',
  ],
  [
    'a word that nobody knows',
    ({ done }) => done({ requeueafter: '5m' } as object),
    'done({ requeueafter }): is not a field of an outcome, which has owned, status, conditions, requeueAfter, requeueAt, retry, ignored; did you mean requeueAfter?',
  ],
  [
    'a status field that the schema lacks',
    ({ done }) => done({ status: { siez: 1 } as object }),
    'done({ status }): status.siez: not in the schema (size?); correct its name, or declare it',
  ],
  [
    'a status field of another type',
    ({ done }) => done({ status: merge({ size: 'big' as never }) }),
    'done({ status }): status.size: is string, the schema says integer',
  ],
  [
    'a status field that the schema lacks, during the run',
    async ({ status, done }) => {
      await status.write({ phase: 'Busy' } as object);
      return done();
    },
    'status.write(...): status.phase: not in the schema; correct its name, or declare it',
  ],
  [
    'a number in the data of a ConfigMap',
    ({ done }) => done({ owned: { configs: [ConfigMap({ metadata: { name: 'p' }, data: { port: 8080 as never } })] } }),
    'owned.configs[0]: ConfigMap p: data.port is not a text (number); write a string',
  ],
  [
    'a number as a label',
    ({ done }) => done({ owned: { configs: [ConfigMap({ metadata: { name: 'p', labels: { size: 3 as never } } })] } }),
    'owned.configs[0]: ConfigMap p: metadata.labels.size is not a text (number); write a string',
  ],
  [
    "a field that the server's schema of a child lacks",
    ({ done }) => done({ owned: { configs: [{ ...ConfigMap({ metadata: { name: 'p' } }), dada: {} } as never] } }),
    '.dada: field not declared in schema; correct these fields where the object is built',
  ],
  ['a wrong condition', ({ done }) => done({ conditions: [{ type: 'A', status: 'True' as never, reason: 'B' }] }), 'done({ conditions })'],
  [
    'a child of another kind',
    ({ done }) => done({ owned: { configs: [Pod({ metadata: { name: 'p' }, spec: { containers: [] } }) as never] } }),
    "Pod p (v1) is not of the handle's kind, ConfigMap v1",
  ],
  [
    'a child without a name',
    ({ done }) => done({ owned: { configs: [ConfigMap({ metadata: { generateName: 'p-' } as never })] } }),
    'ConfigMap has no metadata.name',
  ],
  [
    'a child twice',
    ({ done }) => done({ owned: { configs: [ConfigMap({ metadata: { name: 'p' } }), ConfigMap({ metadata: { name: 'p' } })] } }),
    'owned.configs[1]: ConfigMap shop/p is listed twice',
  ],
  [
    'H48: a child elsewhere',
    ({ done }) => done({ owned: { configs: [ConfigMap({ metadata: { name: 'p', namespace: 'other' } })] } }),
    'ConfigMap other/p is in namespace other, its owner in shop',
  ],
])('%s is refused with what to do', async (_, reconcile, message) => {
  running = await RunningController.start(widgetOperator({ reconcile: reconcile as Behaviour['reconcile'] }));
  const { cluster } = running;
  await cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  await cluster.until(Widget, 'a', ({ status }) => (status?.conditions ?? []).some((condition) => condition.message.includes(message)));
});
