import { App } from 'cdk8s';
import { definePackage, helmChart } from 'keelson/packaging';
import { z } from 'zod';
import { settings } from '../settings-package.js';

describe('mistakes are refused, with the place', () => {
  test('a name, a version, a default of no value', () => {
    const options = { name: 'a', version: '1.0.0', namespace: 'b', build: () => {} };
    expect(() => definePackage({ ...options, name: 'A' })).toThrow("name 'A' must be at most 53 lower case letters");
    expect(() => definePackage({ ...options, version: 'v1' })).toThrow("version 'v1' is not a semantic version");
    expect(() => definePackage({ ...options, defaults: { regoin: 'eu' } })).toThrow('defaults.regoin: there is no such value');
  });

  test('an error of the package itself is thrown as it is', () => {
    const mistake = (): never => {
      throw new TypeError('a mistake');
    };
    expect(() => helmChart(definePackage({ name: 'a', version: '1.0.0', namespace: 'b', build: mistake }))).toThrow(TypeError);
  });
});

describe('plain manifests', () => {
  const source = settings(z.object({ region: z.enum(['eu', 'us']).default('eu') }), ({ region }) => ({ region }));

  test('have the defaults, or other values', () => {
    expect(source.manifests()).toMatchObject([{ metadata: { name: 'settings', namespace: 'system' }, data: { region: 'eu' } }]);
    expect(source.manifests({ region: 'us' })).toMatchObject([{ data: { region: 'us' } }]);
  });

  test('are a chart of a cdk8s app', () => {
    expect(source.addTo(new App(), { region: 'us' }).toJson()).toMatchObject([{ kind: 'ConfigMap', data: { region: 'us' } }]);
  });

  test('refuse values that the schema refuses', () => {
    expect(() => source.manifests({ region: 'mars' as 'eu' })).toThrow(/values\.region: /);
  });
});
