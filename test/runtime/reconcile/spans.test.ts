import { RunningController } from '../harness/running-controller.js';
import { Widget, widgetOperator } from './widget.js';

let running: RunningController;
afterEach(() => running.close());

test('a run is a span of its controller with the key of its object, and its lines in the log name the object and the run', async () => {
  const spans: (readonly [string, object])[] = [];
  const operator = widgetOperator({
    reconcile: ({ log, done }) => {
      log.info('hello');
      return done();
    },
  });
  running = await RunningController.start(operator, {
    tracing: {
      inSpan: (name, attributes, act) => {
        spans.push([name, attributes]);
        return act();
      },
    },
  });
  await running.cluster.create(Widget({ metadata: { name: 'a' }, spec: {} }));
  await running.settled();
  const [controller] = operator.controllers;
  const span = [
    `reconcile ${controller?.name}`,
    { 'keelson.controller': controller?.name, 'k8s.object.name': 'a', 'k8s.namespace.name': 'shop' },
  ];
  expect(spans[0]).toEqual(span);
  expect(new Set(spans.map((each) => JSON.stringify(each))).size).toBe(1);
  const lines = running.log.lines.filter(({ message }) => message === 'hello');
  const reconcileID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
  expect(lines[0]?.fields).toEqual({ controller: 'widget', object: 'shop/a', reconcileID });
  expect(new Set(lines.map(({ fields }) => fields['reconcileID'])).size).toBe(lines.length);
});
