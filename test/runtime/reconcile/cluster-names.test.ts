import { clusterNames } from '../../../src/runtime/reconcile/cluster-names.js';

const tenants = { name: 'tenants', finalizer: 'hosting.example.com/tenants' };
const others = [{ name: 'invoices' }];

test('a controller that is for all objects has the names that it has always had, whatever its installation is called', () => {
  const names = clusterNames(tenants, { operator: 'tenant-operator', name: 'second' }, others);
  expect([names.fieldManager, names.finalizer, names.otherManagers]).toEqual([
    'tenant-operator/tenants',
    'hosting.example.com/tenants',
    undefined,
  ]);
  expect(names.rivals.has('tenant-operator/invoices')).toBe(true);
});

test('two instances share no name on the cluster', () => {
  const [blue, green] = ['blue', 'green'].map((name) => clusterNames(tenants, { operator: 'o', name, selector: `class=${name}` }, others));
  expect([blue?.fieldManager, green?.fieldManager]).toEqual(['blue/tenants', 'green/tenants']);
  expect([blue?.finalizer, green?.finalizer]).toEqual(['hosting.example.com/tenants_blue', 'hosting.example.com/tenants_green']);
  expect([blue?.isOwnFinalizer('hosting.example.com/tenants_green'), blue?.isOtherFinalizer('hosting.example.com/tenants_green')]).toEqual([
    false,
    true,
  ]);
  expect([
    blue?.otherManagers?.has('green/tenants'),
    blue?.otherManagers?.has('blue/tenants'),
    blue?.otherManagers?.has('green/invoices'),
  ]).toEqual([true, false, false]);
  expect(blue?.rivals.has('green/invoices')).toBe(true);
});

test('operators of two classes by definition are told apart by their names', () => {
  const select = { labels: { class: 'a' } };
  expect(clusterNames({ ...tenants, select }, { operator: 'class-a' }).finalizer).toBe('hosting.example.com/tenants_class-a');
});

test('an operator that gets its first selector, and one that loses its last, finalize what they held before', () => {
  const narrow = clusterNames(tenants, { operator: 'o', selector: 'class=a' });
  const wide = clusterNames(tenants, { operator: 'o' });
  expect([narrow.isOwnFinalizer('hosting.example.com/tenants'), narrow.isOtherFinalizer('hosting.example.com/tenants')]).toEqual([
    true,
    true,
  ]);
  expect([wide.isOwnFinalizer('hosting.example.com/tenants_o'), wide.isOtherFinalizer('hosting.example.com/tenants_o')]).toEqual([
    true,
    true,
  ]);
  expect([wide.isOwnFinalizer('hosting.example.com/tenants-too'), wide.isOtherFinalizer('other.example.com/tenants_o')]).toEqual([
    false,
    false,
  ]);
});

test('the API server takes finalizers of instances with long names, which stay apart', () => {
  const finalizers = ['a', 'b'].map(
    (end) => clusterNames(tenants, { operator: 'o', name: `${'x'.repeat(60)}${end}`, selector: 'c' }).finalizer ?? '',
  );
  expect(new Set(finalizers).size).toBe(2);
  for (const finalizer of finalizers) {
    expect(finalizer.split('/')[1]?.length).toBeLessThanOrEqual(63);
    expect(finalizer).toMatch(/^hosting\.example\.com\/tenants_[\w.-]*\w$/);
  }
});
