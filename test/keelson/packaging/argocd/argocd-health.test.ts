import { defineCustomResource, defineOperator, k } from 'keelson';
import { argoCdHealth, defineOperatorPackage } from 'keelson/packaging';
import { parse } from 'yaml';
import { z } from 'zod';
import { memcachedPackage } from '../../../../examples/memcached/package.js';

const packageOf = (...customResources: Parameters<typeof defineOperator>[0]['customResources'] & object) =>
  defineOperatorPackage({
    operator: defineOperator({ name: 'disks', customResources }),
    image: 'registry.example.com/disks:1.0.0',
    version: '1.0.0',
  });
const kind = (name: string, status?: z.ZodObject) =>
  defineCustomResource({
    group: 'disk.example.com',
    kind: name,
    versions: { v1: { spec: z.object({}), ...(status === undefined ? {} : { status }) } },
  }).customResource;

test('one script for each kind with conditions, and all of them in the ConfigMap of Argo CD', () => {
  const conditions = z.object({ conditions: k.conditions() });
  const files = argoCdHealth(packageOf(kind('Disk', conditions), kind('Plain'), kind('Shelf', conditions)));
  expect(files.map(({ path }) => path)).toEqual([
    'argocd-cm.yaml',
    'resource_customizations/disk.example.com/Disk/health.lua',
    'resource_customizations/disk.example.com/Shelf/health.lua',
  ]);
  const map = parse(files[0]?.text ?? '');
  expect(map).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'argocd-cm', namespace: 'argocd' } });
  expect(Object.keys(map.data)).toEqual([
    'resource.customizations.health.disk.example.com_Disk',
    'resource.customizations.health.disk.example.com_Shelf',
  ]);
  expect(map.data['resource.customizations.health.disk.example.com_Disk']).toBe(files[1]?.text);
});

test('the same package gives the same bytes', () => {
  expect(argoCdHealth(memcachedPackage)).toEqual(argoCdHealth(memcachedPackage));
});

test('a package without conditions is refused', () => {
  expect(() => argoCdHealth(packageOf(kind('Plain')))).toThrow(
    'disks: Argo CD judges by conditions, and no custom resource has them; declare conditions: k.conditions() in a status',
  );
});
