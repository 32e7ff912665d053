import { type PolicyRule, permissionsOf } from 'keelson';
import { Operator } from 'keelson/constructs';
import { eventually } from '../eventually.js';
import { applyAll, expectRights, type Right } from './checks/index.js';
import {
  discoveredResources,
  type Place,
  type ResourceName,
  resourceOf,
  reviewedRules,
  rightsIn,
  rulesIn,
  VERBS,
} from './granted-rights.js';
import { type Cluster, describeCluster, type TestObject } from './harness/index.js';
import { manifestsOf } from './manifests/index.js';
import { CASES, type PermissionCase } from './permission-cases.js';

const RBAC_KINDS = ['ServiceAccount', 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'];

/** What Kubernetes grants to all ServiceAccounts, by its role system:cluster-trust-bundle-discovery. */
const isEverybodys = ({ verb, resource }: ResourceRight): boolean =>
  resource === 'clustertrustbundles' && ['get', 'list', 'watch'].includes(verb);

describeCluster('rights, as the API server grants them', (cluster) => {
  let resources: readonly ResourceName[];
  beforeAll(async () => {
    const declared = CASES.flatMap(({ rows }) => rows.map(({ on }) => resourceOf(on)));
    const all = [...(await discoveredResources(cluster)), ...declared];
    resources = [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  });

  describe.each(CASES)('of $title', (example) => {
    let installation: Installation;
    beforeAll(async () => {
      installation = await install(cluster, example);
    });
    afterAll(() => uninstall(cluster, installation));

    const placesIn = (namespace: string | undefined): Place[] => [
      'cluster',
      ...(namespace !== undefined && installation.watched.includes(namespace) ? (['watched'] as const) : []),
      ...(namespace === installation.home ? (['own'] as const) : []),
    ];
    const expectedIn = (namespace: string | undefined): Set<string> =>
      rightsIn(rulesIn(example.rows, placesIn(namespace), namespace), resources);

    test('the definition derives what was written down by hand', () => {
      const { cluster: everywhere, watched, own, named } = installation.permissions;
      for (const namespace of namedIn(example)) {
        const effective = minimal(rightsIn([...everywhere, ...(named[namespace] ?? [])], resources));
        expect([namespace, ...effective]).toEqual([
          namespace,
          ...minimal(rightsIn(rulesIn(example.rows, ['cluster'], namespace), resources)),
        ]);
      }
      expect(Object.keys(named)).toEqual(namedIn(example));
      const derived = { cluster: everywhere, watched: [...everywhere, ...watched], own: [...everywhere, ...own] };
      for (const [place, places] of [
        ['cluster', ['cluster']],
        ['watched', ['cluster', 'watched']],
        ['own', ['cluster', 'own']],
      ] as const) {
        const effective = minimal(rightsIn(derived[place], resources));
        expect([place, ...effective]).toEqual([place, ...minimal(rightsIn(rulesIn(example.rows, places), resources))]);
      }
    });

    test('in each namespace the account may do exactly that, of all resources and verbs that there are', async () => {
      for (const namespace of [installation.home, ...installation.watched, installation.elsewhere, 'default', 'kube-system']) {
        const granted = await reviewedRules(cluster, installation.account, namespace);
        expect(granted.incomplete).toBe(false);
        // What any account may do, such as asking for its own rights.
        const anybody = await reviewedRules(cluster, { ...installation.account, serviceAccount: 'nobody' }, namespace);
        const rights = rightsIn(without(granted.resourceRules, anybody.resourceRules), resources);
        expect([namespace, ...minimal(rights)]).toEqual([namespace, ...minimal(expectedIn(namespace))]);
        const paths = without(granted.nonResourceRules, anybody.nonResourceRules).flatMap(({ nonResourceURLs }) => nonResourceURLs);
        expect([namespace, ...paths]).toEqual([namespace, ...example.paths]);
      }
    });

    test('the authorizer allows each right and refuses its neighbours', async () => {
      const questions = neighbourhood(example, installation, resources).filter((question) => !isEverybodys(question));
      const isExpected = ({ verb, group = '', resource, name, namespace }: ResourceRight): boolean => {
        const rights = expectedIn(namespace);
        return rights.has(`${verb} ${resource}.${group}[*]`) || (name !== undefined && rights.has(`${verb} ${resource}.${group}[${name}]`));
      };
      const allowed = questions.filter(isExpected);
      const refused = questions.filter((question) => !isExpected(question));
      expect(Math.min(allowed.length, refused.length)).toBeGreaterThan(20);
      const [paths, otherPaths] = [example.paths, ['/metrics', '/logs', '/debug/pprof'].filter((path) => !example.paths.includes(path))];
      await expectRights(cluster, installation.account, {
        allowed: [...allowed.map(asked), ...paths.map((path) => ({ verb: 'get', path }))],
        refused: [
          ...refused.map(asked),
          ...otherPaths.map((path) => ({ verb: 'get', path })),
          ...paths.map((path) => ({ verb: 'post', path })),
        ],
      });
    });
  });

  test('requests in the name of the operator end as the rules say', async () => {
    const example = CASES[1] as PermissionCase;
    const installation = await install(cluster, example);
    const { home, elsewhere, watched, account } = installation;
    const [team = ''] = watched;
    const impersonate = { user: `system:serviceaccount:${home}:${account.serviceAccount}`, groups: ['system:authenticated'] };
    const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<number> =>
      (await cluster.request(method, path, body, { impersonate })).status;
    const lease = (name: string): object => ({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name } });
    const leases = (namespace: string): string => `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    const statuses = {
      'pods of a team': await ask('GET', `/api/v1/namespaces/${team}/pods`),
      'pods elsewhere': await ask('GET', `/api/v1/namespaces/${elsewhere}/pods`),
      'pods everywhere': await ask('GET', '/api/v1/pods'),
      'deletion of many deployments': await ask('DELETE', `/apis/apps/v1/namespaces/${team}/deployments`),
      'secrets at home': await ask('GET', `/api/v1/namespaces/${home}/secrets`),
      'its lease, made': await ask('POST', leases(home), lease('leader')),
      'its lease, read': await ask('GET', `${leases(home)}/leader`),
      'its lease, deleted': await ask('DELETE', `${leases(home)}/leader`),
      'a lease of the team': await ask('POST', leases(team), lease('leader')),
    };
    await uninstall(cluster, installation);
    expect(statuses).toEqual({
      'pods of a team': 200,
      'pods elsewhere': 403,
      'pods everywhere': 403,
      'deletion of many deployments': 403,
      'secrets at home': 403,
      'its lease, made': 201,
      'its lease, read': 200,
      'its lease, deleted': 403,
      'a lease of the team': 403,
    });
  });

  test('kubectl auth can-i gives its users the same answers', async () => {
    const installation = await install(cluster, CASES[2] as PermissionCase);
    const as = `system:serviceaccount:${installation.home}:${installation.account.serviceAccount}`;
    const questions: readonly (readonly [string, ...string[]])[] = [
      ['yes', 'delete', 'pods'],
      ['yes', 'create', 'pods', '--subresource=eviction'],
      ['yes', 'watch', 'nodes'],
      ['yes', 'patch', 'validatingwebhookconfigurations.admissionregistration.k8s.io/fleet'],
      ['yes', 'get', '/metrics'],
      ['no', 'create', 'pods'],
      ['no', 'deletecollection', 'pods'],
      ['no', 'get', 'pods', '--subresource=log'],
      ['no', 'patch', 'validatingwebhookconfigurations.admissionregistration.k8s.io/other'],
      ['no', 'delete', 'secrets', '--all-namespaces'],
      ['no', 'impersonate', 'serviceaccounts'],
      ['no', 'escalate', 'clusterroles.rbac.authorization.k8s.io'],
      ['no', '*', '*'],
    ];
    const answers: string[][] = [];
    for (const [, ...question] of questions) {
      const { stdout } = await cluster.kubectl(['auth', 'can-i', ...question, `--as=${as}`]);
      answers.push([stdout.trim(), ...question]);
    }
    await uninstall(cluster, installation);
    expect(answers).toEqual(questions);
  });
});

interface Installation {
  readonly home: string;
  readonly watched: readonly string[];
  /** A namespace that the operator has nothing to do with. */
  readonly elsewhere: string;
  readonly account: { readonly namespace: string; readonly serviceAccount: string };
  readonly permissions: ReturnType<typeof permissionsOf>;
  readonly objects: readonly TestObject[];
}

/** Applies the account, the roles and the bindings that an Operator emits; the rest does not concern the authorizer. */
async function install(cluster: Cluster, { name, operator, namespaced, props, rows, paths }: PermissionCase): Promise<Installation> {
  const [home, elsewhere, ...watched] = (await Promise.all(
    ['home', 'elsewhere', ...(namespaced ? ['team-a', 'team-b'] : [])].map((prefix) => cluster.namespace(prefix)),
  )) as [string, string, ...string[]];
  let permissions = permissionsOf(operator);
  const manifests = manifestsOf(home, (chart) => {
    const scope = namespaced ? { namespaces: watched } : 'Cluster';
    const construct = new Operator(chart, 'operator', { operator, name, image: 'example:1', scope, aggregateRoles: false, ...props });
    permissions = construct.rbac.permissions;
  });
  const objects = manifests.filter(({ kind }) => RBAC_KINDS.includes(kind));
  await applyAll(cluster, objects);
  const account = { namespace: home, serviceAccount: name };
  await untilInForce(cluster, account, paths, {
    [home]: rulesIn(rows, ['cluster', 'own']),
    ...Object.fromEntries(watched.map((team) => [team, rulesIn(rows, ['cluster', 'watched'])])),
    ...Object.fromEntries(namedIn({ rows }).map((named) => [named, rulesIn(rows, ['cluster'], named)])),
  });
  return { home, elsewhere, watched, account, permissions, objects };
}

/** The namespaces that declarations name. */
function namedIn({ rows }: Pick<PermissionCase, 'rows'>): readonly string[] {
  return [...new Set(rows.flatMap(({ where }) => (typeof where === 'string' ? [] : where.namespaces)))].sort();
}

/** The authorizer learns of roles and bindings by watches, a moment after they are stored. */
async function untilInForce(
  cluster: Cluster,
  account: Installation['account'],
  paths: readonly string[],
  rulesOf: Readonly<Record<string, readonly PolicyRule[]>>,
): Promise<void> {
  for (const [namespace, rules] of Object.entries(rulesOf)) {
    const resources = rules.flatMap(({ apiGroups = [], resources: names = [] }) =>
      names.map((resource) => ({ group: apiGroups[0] ?? '', resource })),
    );
    const expected = minimal(rightsIn(rules, resources));
    const isInForce = async (): Promise<boolean> => {
      const { incomplete, resourceRules, nonResourceRules } = await reviewedRules(cluster, account, namespace);
      const granted = rightsIn(resourceRules, resources);
      const grantedPaths = nonResourceRules.flatMap(({ nonResourceURLs = [] }) => nonResourceURLs);
      const hasPaths = paths.every((path) => grantedPaths.includes(path));
      return !incomplete && hasPaths && expected.every((right) => granted.has(right) || granted.has(right.replace(/\[.*\]$/, '[*]')));
    };
    await eventually(isInForce, `in ${namespace} the account has ${[...expected, ...paths].join(', ')}`);
  }
}

async function uninstall(cluster: Cluster, { objects }: Installation): Promise<void> {
  for (const object of objects) await cluster.must('DELETE', await cluster.paths.pathOf(object));
}

interface ResourceRight {
  readonly verb: string;
  readonly group?: string;
  /** As RBAC writes it, a subresource behind the slash. */
  readonly resource: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** A review names the subresource apart. */
function asked({ resource: qualified, ...right }: ResourceRight): Right {
  const [resource = '', subresource] = qualified.split('/');
  return { ...right, resource, ...(subresource === undefined ? {} : { subresource }) };
}

/** Around each declared right: all verbs, other names, other places, its subresources and the resource above; and some rights on all other resources. */
function neighbourhood(
  { rows }: PermissionCase,
  { home, elsewhere, watched }: Installation,
  resources: readonly ResourceName[],
): ResourceRight[] {
  const places = [undefined, home, elsewhere, ...watched.slice(0, 1), ...namedIn({ rows })];
  const questions: ResourceRight[] = [];
  const add = (right: Omit<ResourceRight, 'namespace' | 'name'>, namespace: string | undefined, name?: string): void => {
    questions.push({ ...right, ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) });
  };
  for (const { on, names = [] } of rows) {
    const { group, resource } = resourceOf(on);
    const family = resources.filter((other) => other.group === group && other.resource.split('/')[0] === resource.split('/')[0]);
    for (const namespace of places) {
      for (const verb of VERBS) for (const name of [undefined, ...names, 'another']) add({ verb, group, resource }, namespace, name);
      for (const relative of family) for (const verb of ['get', 'update', 'patch', 'create']) add({ verb, ...relative }, namespace);
      // The same resource of another group is another resource.
      add({ verb: 'get', group: 'other.example.com', resource }, namespace);
    }
  }
  for (const other of resources) for (const verb of ['get', 'delete']) add({ verb, ...other }, home);
  for (const verb of ['impersonate', 'bind', 'escalate', '*'])
    add({ verb, group: 'rbac.authorization.k8s.io', resource: 'clusterroles' }, undefined);
  return [...new Map(questions.map((question) => [JSON.stringify(question), question])).values()];
}

/** A right on every object covers the one on a named object. */
function minimal(rights: ReadonlySet<string>): string[] {
  return [...rights].filter((right) => right.endsWith('[*]') || !rights.has(right.replace(/\[.*\]$/, '[*]'))).sort();
}

function without<T>(rules: readonly T[], others: readonly T[]): T[] {
  const known = new Set(others.map((rule) => JSON.stringify(rule)));
  return rules.filter((rule) => !known.has(JSON.stringify(rule)));
}
