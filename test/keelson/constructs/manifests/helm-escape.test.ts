import { App, Chart } from 'cdk8s';
import { CustomResourceDefinition, helmEscapeResolver } from 'keelson/constructs';
import { memcached, memcachedVersion } from '../models';

test('the resolver escapes templates once, wherever they stand', () => {
  const app = new App({ resolvers: [helmEscapeResolver()] });
  const version = { ...memcachedVersion, schema: { ...memcachedVersion.schema, description: 'Like {{ .Values.x }}.' } };
  new CustomResourceDefinition(new Chart(app, 'chart'), 'crd', {
    definition: { ...memcached, versionList: [version] },
    metadata: { annotations: { note: '{{ x }} and {{ y }}' } },
  });
  const yaml = app.synthYaml();
  expect(yaml).toContain('Like {{`{{`}} .Values.x }}.');
  expect(yaml).toContain('{{`{{`}} x }} and {{`{{`}} y }}');
  expect(yaml.match(/\{\{`\{\{`\}\}/g)).toHaveLength(3);
});
