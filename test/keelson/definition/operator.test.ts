import { defineController, defineCustomResource, defineOperator, k, validating, validatingPolicy } from 'keelson';
import { Pod } from 'keelson/kinds';
import { z } from 'zod';
import { messageOf } from './refusals.js';

const spec = z.object({ size: k.int32().default(1) });
const define = (kind: string, more: object = {}) =>
  defineCustomResource({ group: 'cache.example.com', kind, versions: { v1: { spec } }, ...more });
const Cache = define('Cache');
const controllerFor = (kind: ReturnType<typeof define>, name: string, more: object = {}) =>
  defineController({ name, for: kind, reconcile: ({ done }) => done(), ...more });
const cache = controllerFor(Cache, 'cache');

const LABEL = 'must be lower case letters, digits and dashes, beginning and ending with a letter or digit (DNS-1123 label)';

describe('an operator whose parts are in each other’s way is refused', () => {
  const finalize = () => undefined;
  test.each<[string, object, string]>([
    ['a name in upper case', { name: 'Op', controllers: [cache] }, `name: 'Op' ${LABEL}`],
    ['nothing in it', {}, 'controllers: is empty, as is the rest; give the operator a controller, a webhook or a custom resource'],
    [
      'an unknown option',
      { controllers: [cache], webhook: [] },
      'webhook: is not an option of an operator; known are name, formerNames, controllers, webhooks, customResources, checks, endpoints, tasks',
    ],
    [
      'two controllers of one name',
      { controllers: [cache, cache] },
      "controllers[1].name: the name 'cache' is taken by controllers[0].name; it names the field manager and the metrics; choose another",
    ],
    [
      'two finalizers of one name',
      {
        controllers: [
          controllerFor(Cache, 'a', { finalize, finalizer: 'a.b/c' }),
          controllerFor(Cache, 'b', { finalize, finalizer: 'a.b/c' }),
        ],
      },
      "controllers[1].finalizer: the finalizer 'a.b/c' is taken by controllers[0].finalizer; each would remove the other’s; name one of them",
    ],
    [
      'two webhooks of one name',
      { webhooks: [validating(Cache, () => []), validating(Cache, () => [])] },
      "webhooks[1]: the webhook name 'validating.caches.cache.example.com' is taken by webhooks[0]; give each a name with the option name: '...'",
    ],
    [
      'two policies of one name',
      { webhooks: [1, 2].map(() => validatingPolicy(Cache, { validations: [{ expression: 'true' }] })) },
      "webhooks[1]: the policy name 'caches.cache.example.com' is taken by webhooks[0]; give each a name with the option name: '...'",
    ],
    [
      'two definitions of one CRD',
      { customResources: [Cache, define('Cache')] },
      'customResources[caches.cache.example.com]: is defined twice; import one definition everywhere',
    ],
    [
      'one kind under two plurals',
      { customResources: [Cache, define('Cache', { plural: 'cachery' })] },
      'customResources[cachery.cache.example.com]: the kind Cache is defined with another plural too; a group has each kind once',
    ],
    [
      'one short name for two kinds',
      { customResources: [define('A', { shortNames: ['c'] }), define('B', { shortNames: ['c'] })] },
      'customResources[bs.cache.example.com]: shares a short name with as.cache.example.com; the API server would accept the first only: change one',
    ],
  ])('%s', (_, options, message) => {
    const operator = { name: 'op', ...options } as Parameters<typeof defineOperator>[0];
    expect(messageOf(() => defineOperator(operator))).toBe(`operator ${operator.name}: 1 problem\n  ${message}`);
  });
});

test('custom resources follow from controllers and webhooks, each once', () => {
  const [Store, Other] = [define('Store'), define('Other')];
  const operator = defineOperator({
    name: 'op',
    controllers: [cache, controllerFor(Cache, 'again')],
    webhooks: [validating(Store, () => []), validating(Pod, () => []), validatingPolicy(Cache, { validations: [{ expression: 'true' }] })],
    customResources: [Other, Cache],
  });
  expect(operator.customResources).toEqual([Cache, Store, Other]);
  expect(operator.webhooks.map(({ name }) => name)).toEqual(['validating.stores.cache.example.com', 'validating.pods.core']);
  expect(operator.policies).toHaveLength(1);
});
