import { defineController, defineCustomResource, defineOperator, settings, validating } from 'keelson';
import { defineOperatorPackage } from 'keelson/packaging';
import { z } from 'zod';
import { operatorValues } from '../../../../src/keelson/packaging/operator/operator-values.js';
import { fileOf } from '../chart-files.js';

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

describe('a release among several', () => {
  const Site = defineCustomResource({
    group: 'sites.example.com',
    kind: 'Site',
    versions: { v1: { spec: z.object({ className: z.string() }), selectableFields: ['.spec.className'] } },
  });
  const controllers = [defineController({ name: 'sites', for: Site, reconcile: ({ done }) => done() })];
  const webhook = validating(Site, () => [], { select: { labels: { checked: 'yes' }, ofInstance: true } });
  const valuesOf = (operator: ReturnType<typeof defineOperator>): readonly string[] =>
    Object.keys(operatorValues(operator, { image: IMAGE as never, hasCrds: true }).shape).filter(
      (name) => /[sS]elector$/.test(name) && name !== 'nodeSelector',
    );

  test('has the values that its operator has a use for', () => {
    expect(valuesOf(defineOperator({ name: 'sites', customResources: [Sweep] }))).toEqual([]);
    expect(valuesOf(defineOperator({ name: 'sites', controllers }))).toEqual(['selector', 'fieldSelector']);
    expect(valuesOf(defineOperator({ name: 'sites', controllers, webhooks: [webhook] }))).toEqual([
      'selector',
      'fieldSelector',
      'webhookSelector',
    ]);
    const sweeps = defineController({ name: 'sweeps', for: Sweep, reconcile: ({ done }) => done() });
    expect(valuesOf(defineOperator({ name: 'sites', controllers: [...controllers, sweeps] }))).toEqual(['selector']);
  });

  test('writes its selectors into the chart, and those of its webhooks as they are given', () => {
    const operator = defineOperator({ name: 'sites', controllers, webhooks: [webhook] });
    const sites = defineOperatorPackage({ operator, image: 'registry.example.com/sites:1.0.0', version: '1.0.0' });
    const deployment = fileOf(sites, 'templates/deployment.yaml');
    expect(deployment).toContain(
      '{{- if .Values.selector }}\n            - name: KEELSON_SELECTOR\n              value: {{ .Values.selector | quote }}',
    );
    expect(deployment).toContain('value: {{ .Values.fieldSelector | quote }}');
    const webhooks = fileOf(sites, 'templates/webhooks/validating.yaml');
    expect(webhooks).toContain('checked: "yes"');
    expect(webhooks).toContain('.Values.webhookSelector.matchLabels');
    expect(sites.manifests({ selector: 'class=a' })).toContainEqual(
      expect.objectContaining({
        webhooks: [
          expect.objectContaining({
            objectSelector: { matchLabels: { checked: 'yes', class: 'a' } },
          }),
        ],
      }),
    );
  });
});
