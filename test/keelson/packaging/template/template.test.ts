import { ManifestObject } from 'keelson/constructs';
import { definePackage, helmChart } from 'keelson/packaging';
import { z } from 'zod';
import { fileOf } from '../chart-files.js';
import { dataOf, settings } from '../settings-package.js';

describe('a value becomes an expression where it is written', () => {
  test.each([
    ['a text', { region: z.string().default('eu') }, '{{ .Values.region | quote }}'],
    ['a whole number, never as 1e+06', { region: z.int().default(1) }, '{{ int64 .Values.region }}'],
    ['a boolean', { region: z.boolean().default(true) }, '{{ .Values.region | toJson }}'],
    ['a choice', { region: z.enum(['eu', 'us', 'ap']).default('eu') }, '{{ .Values.region | toJson }}'],
  ])('%s', (_name, shape, expression) => {
    const source = settings(z.object(shape) as z.ZodObject, ({ region }) => ({ region }));
    expect(dataOf(source)).toBe(`  region: ${expression}\n`);
  });

  test('within a text, with what stands around it', () => {
    const values = z.object({ mirror: z.string().default('docker.io'), port: z.int().default(80) });
    expect(dataOf(settings(values, ({ mirror, port }) => ({ url: `100% ${mirror}:${port}/"x"` })))).toBe(
      '  url: {{ printf "100%% %s:%d/\\"x\\"" .Values.mirror (int64 .Values.port) | quote }}\n',
    );
  });

  test('in a group, and the facts of the release', () => {
    const source = settings(z.object({ image: z.object({ tag: z.string().default('1') }) }), ({ image }) => ({ tag: image.tag }));
    expect(dataOf(source)).toBe('  tag: {{ .Values.image.tag | quote }}\n');
    expect(fileOf(source, 'templates/settings.yaml')).toContain(
      'name: {{ .Release.Name | quote }}\n  namespace: {{ .Release.Namespace | quote }}',
    );
  });

  test('a map as a whole, and among fields of the chart, where a key of the chart is refused', () => {
    const values = z.object({ extra: z.record(z.string(), z.string()).default({}) });
    expect(dataOf(settings(values, ({ extra }) => ({ fixed: 'a', ...extra })))).toContain('{{- toYaml .Values.extra | nindent 2 }}');
    expect(dataOf(settings(values, ({ extra }) => ({ fixed: 'a', ...extra })))).toContain('is written by the chart; choose another key');
  });

  test('in the key of a field', () => {
    const values = z.object({ file: z.string().min(1).default('app') });
    expect(dataOf(settings(values, ({ file }) => ({ [`${file}.json`]: '{}' })))).toBe(
      '  {{ printf "%s.json" .Values.file | quote }}: "{}"\n',
    );
  });
});

describe('a value that chooses becomes a condition', () => {
  test('a boolean, around what it adds', () => {
    const values = z.object({ debug: z.boolean().default(false) });
    expect(dataOf(settings(values, ({ debug }) => (debug ? { level: 'debug', trace: 'on' } : { level: 'info' })))).toBe(
      '  {{- if not .Values.debug }}\n  level: info\n  {{- else }}\n  level: debug\n  {{- end }}\n  {{- if .Values.debug }}\n  trace: "on"\n  {{- end }}\n',
    );
  });

  test('a number, at the boundary that is found', () => {
    const values = z.object({ replicas: z.int().min(0).default(1) });
    expect(dataOf(settings(values, ({ replicas }) => ({ few: 'a', ...(replicas > 6 ? { many: 'yes' } : {}) })))).toContain(
      '{{- if ge (int64 .Values.replicas) 7 }}',
    );
  });

  test('an empty text', () => {
    const values = z.object({ proxy: z.string().default('') });
    expect(dataOf(settings(values, ({ proxy }) => ({ other: 'a', ...(proxy === '' ? {} : { proxy }) })))).toBe(
      '  other: a\n  {{- if .Values.proxy }}\n  proxy: {{ .Values.proxy | quote }}\n  {{- end }}\n',
    );
  });

  test('two values together', () => {
    const values = z.object({ one: z.boolean().default(false), two: z.boolean().default(false), three: z.boolean().default(false) });
    const text = dataOf(settings(values, ({ one, two, three }) => ({ other: 'a', ...(one && (two || three) ? { both: 'yes' } : {}) })));
    expect(text.match(/\.Values\.\w+/g)?.sort()).toEqual(expect.arrayContaining(['.Values.one', '.Values.three', '.Values.two']));
  });

  test('an item that stands elsewhere in the list when another value gives it is written at both places', () => {
    const flag = z.boolean().default(false);
    const values = z.object({ url: z.string().default(''), one: flag, two: flag, three: flag });
    const item = (name: string, value = 'x') => ({ name, value });
    const source = settings(values, ({ url, one, two, three }) => ({
      env: [
        ...(url === '' ? [] : [item('URL', url)]),
        ...(one ? [item('ONE')] : []),
        item('FIXED', two ? 'a' : 'b'),
        ...(three ? [item('THREE')] : []),
        ...(url === '' ? [item('URL', 'default')] : []),
      ],
    }));
    const text = dataOf(source);
    expect(text.match(/name: \w+/g)).toEqual(['name: URL', 'name: ONE', 'name: FIXED', 'name: THREE', 'name: URL']);
    expect(text).toContain('{{- if .Values.url }}\n    - name: URL\n      value: {{ .Values.url | quote }}\n    {{- end }}');
    expect(text).toContain('{{- if not .Values.url }}\n    - name: URL\n      value: default\n    {{- end }}');
  });

  test('values that the constructs refuse are refused by the chart, in their words', () => {
    const values = z.object({ plain: z.boolean().default(false), readers: z.array(z.string()).default([]) });
    const source = settings(values, ({ plain, readers }) => ({
      readers: readers.join(' '),
      ...(plain && readers.length > 0 ? { wrong: Number.NaN } : {}),
    }));
    expect(fileOf(source, 'templates/refusals.yaml')).toContain(
      '{{- if and (.Values.plain) (.Values.readers) }}\n{{- fail "data.wrong: NaN is not a number that JSON can carry" }}',
    );
  });
});

test('a list whose items become objects repeats them, in the order in which the constructs sort', () => {
  const source = definePackage({
    name: 'quotas',
    version: '1.0.0',
    namespace: 'system',
    values: z.object({ teams: z.array(z.string()).default([]) }),
    build: (chart, { values }) => {
      for (const team of [...values.teams].sort()) {
        const metadata = { name: 'quota', namespace: team };
        new ManifestObject(chart, `quota-${team}`, {
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          scope: 'Namespaced',
          metadata,
          body: { spec: { hard: { pods: 5 } } },
        });
      }
    },
  });
  expect(fileOf(source, 'templates/quota-each.yaml')).toContain('{{- range $item := (sortAlpha .Values.teams) }}\n---\n');
  expect(fileOf(source, 'templates/quota-each.yaml')).toContain('namespace: {{ $item | quote }}');
});

describe('what a chart cannot say is refused, with the place', () => {
  test.each([
    ['arithmetic', { n: z.int().default(2) }, ({ n }: { n: number }) => ({ n: n * 2 }), /data n: is computed from the values/],
    [
      'another form of a text',
      { t: z.string().default('a') },
      ({ t }: { t: string }) => ({ t: t.toUpperCase() }),
      /data t: is computed from the values/,
    ],
    [
      'an encoded text',
      { t: z.string().default('a') },
      ({ t }: { t: string }) => ({ t: Buffer.from(t).toString('base64') }),
      /data t: is computed from the values/,
    ],
  ])('%s', (_name, shape, data, message) => {
    expect(() => helmChart(settings(z.object(shape as never) as z.ZodObject, data as never))).toThrow(message);
  });
});
