import { defineCustomResource, defineOperator, settings } from 'keelson';
import { z } from 'zod';
import { operatorValues } from '../../../../src/keelson/packaging/operator/operator-values.js';

const config = settings(z.object({ region: z.string().default('eu') }), { prefix: 'SWEEP_' });
const Sweep = defineCustomResource({ group: 'sweep.example.com', kind: 'Sweep', versions: { v1: { spec: z.object({}) } } });
const IMAGE = { repository: 'registry.example.com/sweeper', tag: '1' };

test('settings that a check or a task alone uses are values of the chart', () => {
  const run = (): void => undefined;
  const operator = defineOperator({
    name: 'sweeper',
    customResources: [Sweep],
    checks: { reachable: { uses: { config }, run } },
    tasks: { sweep: { uses: { same: config }, every: '1h', run } },
  });
  const { settings: group } = operatorValues(operator, { image: IMAGE as never, hasCrds: true }).shape;
  expect(group?.parse({})).toEqual({ region: 'eu' });
});
