import { z } from 'zod';
import { fileOf } from '../chart-files.js';
import { settings } from '../settings-package.js';

test('what looks like a template is written, not executed', () => {
  const source = settings(z.object({}), () => ({ text: 'say {{ .Values.secret }}', '{{ key }}': 'x' }));
  expect(fileOf(source, 'templates/settings.yaml')).toContain('say {{`{{`}} .Values.secret }}');
  expect(fileOf(source, 'templates/settings.yaml')).not.toMatch(/\{\{ (key|\.Values)/);
});

test('values.yaml, its schema and the table say each value once, with its default and meaning', () => {
  const values = z.object({
    region: z.enum(['eu', 'us']).default('eu').describe('Where it runs.'),
    limits: z.object({ pods: z.int().min(1).default(5).describe('Pods at most.') }),
  });
  const source = settings(values, ({ region, limits }) => ({ region, pods: limits.pods }));
  expect(fileOf(source, 'values.yaml')).toBe('# Where it runs. One of eu, us.\nregion: eu\n\nlimits:\n  # Pods at most.\n  pods: 5\n');
  expect(JSON.parse(fileOf(source, 'values.schema.json'))).toMatchObject({
    additionalProperties: false,
    properties: {
      region: { enum: ['eu', 'us'] },
      limits: { additionalProperties: false, properties: { pods: { minimum: 1 } } },
      global: { type: 'object' },
    },
  });
  expect(fileOf(source, 'README.md')).toContain('| `limits.pods` | `5` | Pods at most. |');
});
