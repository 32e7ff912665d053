import type { ClusterName } from '../../../../../src/api-server/workloads/processes/names/cluster-names.js';
import { hostsText, MOST_NAMES } from '../../../../../src/api-server/workloads/processes/names/hosts-text.js';
import type { Pod } from '../../../../../src/kubernetes/kinds/index.js';

const MACHINE = '127.0.0.1\tlocalhost laptop # the screen is broken\n# of the office\n10.0.0.7 printer web\n';

function text(spec: Partial<Pod['spec']> = {}, names: readonly ClusterName[] = [], machine = MACHINE): string {
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'shop' }, spec: { containers: [], ...spec } };
  return hostsText({ pod, address: '127.16.0.4', names, machine }).text;
}
const lines = (...parameters: Parameters<typeof text>): readonly string[] =>
  text(...parameters)
    .split('\n')
    .filter((line) => !line.startsWith('#'));
const web: ClusterName = { namespace: 'shop', service: 'web', addresses: ['127.16.254.1'] };

test('a Pod has its own name, that of its Service too where it has one, then its aliases, and the names of this machine last', () => {
  expect(
    text({ hostname: 'db-0', subdomain: 'db', hostAliases: [{ ip: '10.1.2.3', hostnames: ['legacy', 'legacy.example.com'] }] }, [web]),
  ).toBe(
    [
      '# Written by the simulated kubelet; changed with the Services of the cluster.',
      '127.16.0.4\tdb-0.db.shop.svc.cluster.local db-0',
      '# hostAliases of the Pod',
      '10.1.2.3\tlegacy legacy.example.com',
      '# Names of the cluster',
      '127.16.254.1\tweb.shop.svc.cluster.local web.shop.svc web.shop web',
      '# Names of this machine',
      '127.0.0.1\tlocalhost laptop',
      '10.0.0.7\tprinter',
      '',
    ].join('\n'),
  );
});

test('the short name of a Service is for Pods of its namespace alone', () => {
  expect(lines({}, [{ ...web, namespace: 'other' }])).toContain('127.16.254.1\tweb.other.svc.cluster.local web.other.svc web.other');
});

test('a Pod behind a headless Service has a name, and the Service has the addresses of all', () => {
  const db = { namespace: 'shop', service: 'db', addresses: ['127.16.0.5', '127.16.0.6'] };
  expect(lines({}, [db, { ...db, hostname: 'db-1', addresses: ['127.16.0.6'] }])).toEqual(
    expect.arrayContaining([
      '127.16.0.5\tdb.shop.svc.cluster.local db.shop.svc db.shop db',
      '127.16.0.6\tdb.shop.svc.cluster.local db.shop.svc db.shop db',
      '127.16.0.6\tdb-1.db.shop.svc.cluster.local db-1.db.shop.svc db-1.db.shop db-1.db',
    ]),
  );
});

test('a name that could be read in two ways is what the search list of a Pod finds first, and has one line', () => {
  const podOfShop = { namespace: 'shop', service: 'other', hostname: 'web', addresses: ['127.16.0.9'] };
  const found = lines({}, [{ ...web, namespace: 'other' }, podOfShop]);
  expect(found).toContain('127.16.0.9\tweb.other.shop.svc.cluster.local web.other.shop.svc web.other.shop web.other');
  expect(found).toContain('127.16.254.1\tweb.other.svc.cluster.local web.other.svc');
});

test("a Service does not take the Pod's own name, its aliases, or localhost", () => {
  const services = ['a', 'legacy', 'localhost'].map((service) => ({ ...web, service }));
  const found = lines({ hostAliases: [{ ip: '10.1.2.3', hostnames: ['legacy'] }] }, services);
  expect(found).toEqual(expect.arrayContaining(['127.16.0.4\ta', '10.1.2.3\tlegacy', '127.0.0.1\tlocalhost laptop']));
  for (const service of ['a', 'legacy', 'localhost'])
    expect(found).toContain(`127.16.254.1\t${service}.shop.svc.cluster.local ${service}.shop.svc ${service}.shop`);
});

test("a Pod on its Node's network has no name of its own", () => {
  expect(lines({ hostNetwork: true })).not.toContain('127.16.0.4\ta');
});

test('no line is longer than the shortest reader takes: the rest of the names follow on another', () => {
  const long = { namespace: 'n'.repeat(63), service: 's'.repeat(63), hostname: 'h'.repeat(63), addresses: ['127.16.0.5'] };
  const found = lines({}, [long]).filter((line) => line.startsWith('127.16.0.5'));
  expect(found.length).toBeGreaterThan(1);
  expect(Math.max(...found.map((line) => line.length))).toBeLessThanOrEqual(511);
  expect(found.flatMap((line) => line.split(/\s/).slice(1))).toHaveLength(3);
});

test("names beyond the limit are counted and left out, those of the Pod's namespace last", () => {
  const many = Array.from({ length: MOST_NAMES }, (_, index) => ({ ...web, namespace: 'many', service: `s${index}` }));
  const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', namespace: 'shop' }, spec: { containers: [] } };
  const { text, leftOut } = hostsText({ pod, address: '127.16.0.4', names: [...many, web], machine: MACHINE });
  expect(text).toContain('\tweb.shop.svc.cluster.local');
  expect(text).toContain('\tlocalhost');
  const kept = text
    .split('\n')
    .flatMap((line) => line.split(/\s/))
    .filter((word) => /^s\d+\.many/.test(word)).length;
  expect(kept).toBeLessThanOrEqual(MOST_NAMES);
  expect(kept + leftOut).toBe(MOST_NAMES * 3);
  expect(text).toContain(`# ${leftOut} more names are left out`);
});
