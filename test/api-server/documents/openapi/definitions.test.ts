import { builtinDefinitions } from '../../../../src/api-server/documents/openapi/index.js';
import { PatchType } from '../../../../src/api-server/values/strategic-merge/index.js';

describe('definitions of built-in types', () => {
  const definitions = builtinDefinitions();

  test('are found by kind, lists and kinds of subresources too', () => {
    const nameOf = (group: string, version: string, kind: string) => definitions.nameOf({ group, version, kind });
    expect(nameOf('apps', 'v1', 'Deployment')).toBe('io.k8s.api.apps.v1.Deployment');
    expect(nameOf('', 'v1', 'PodList')).toBe('io.k8s.api.core.v1.PodList');
    expect(nameOf('autoscaling', 'v1', 'Scale')).toBe('io.k8s.api.autoscaling.v1.Scale');
    expect(nameOf('apps', 'v2', 'Deployment')).toBeUndefined();
  });

  test('carry no prose, and refer to nothing that is missing', () => {
    for (const name of definitions.names) {
      const text = JSON.stringify(definitions(name));
      expect(text).not.toMatch(/"description":"/);
      for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
        expect(definitions(reference)).toBeDefined();
      }
    }
    expect(definitions('io.k8s.api.core.v1.Nothing')).toBeUndefined();
  });

  test('tell how a strategic merge patch merges a list', () => {
    const pod = PatchType.of('io.k8s.api.core.v1.Pod', definitions).rule('spec').type;
    expect(pod.listRule('containers')).toMatchObject({ strategy: 'merge', mergeKey: 'name' });
    expect(pod.listRule('containers').type.listRule('ports')).toMatchObject({ strategy: 'merge', mergeKey: 'containerPort' });
  });
});
