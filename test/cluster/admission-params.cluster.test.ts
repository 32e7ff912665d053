import type { Step } from './differential/exchange.js';
import { reportOf } from './differential/report.js';
import { compareScript, type Script } from './differential/script.js';
import { type Pair, startPair } from './differential/servers.js';
import { describeCluster } from './harness/index.js';

const GROUP = 'admissionregistration.k8s.io';
const POLICIES = `/apis/${GROUP}/v1/validatingadmissionpolicies`;
const BINDINGS = `/apis/${GROUP}/v1/validatingadmissionpolicybindings`;
const ROLES = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const ROLE_BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const MERGE = 'application/merge-patch+json';

const rules = (...more: readonly object[]): readonly object[] => [{ apiGroups: [GROUP], resources: ['*'], verbs: ['*'] }, ...more];
const role = (...more: readonly object[]): object => ({ metadata: { name: 'policy-writer' }, rules: rules(...more) });
const rule = { operations: ['CREATE'], apiGroups: ['nowhere.example.com'], apiVersions: ['v1'], resources: ['things'] };
const policy = (name: string, paramKind?: object): object => ({
  metadata: { name },
  spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }], ...(paramKind && { paramKind }) },
});
const binding = (name: string, policyName: string, paramRef?: object): object => ({
  metadata: { name },
  spec: { policyName, validationActions: ['Deny'], ...(paramRef && { paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } }) },
});
const config = { apiVersion: 'v1', kind: 'ConfigMap' };
const unknown = { apiVersion: 'x.example.com/v1', kind: 'Nope' };
const post = (path: string, body: object, user = 'ann'): Step => ({ method: 'POST', path, body, user });
const patch = (path: string, body: object, user = 'ann'): Step => ({
  method: 'PATCH',
  path,
  body,
  user,
  contentType: MERGE,
});

/** Who may write policies, but not read everything. */
const script: Script = {
  name: 'parameters of policies',
  steps: [
    post(ROLES, role(), 'admin'),
    post(
      ROLE_BINDINGS,
      {
        metadata: { name: 'policy-writer' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'policy-writer' },
        subjects: [{ kind: 'User', name: 'ann', apiGroup: 'rbac.authorization.k8s.io' }],
      },
      'admin',
    ),
    { ...post(POLICIES, policy('plain')), until: '"plain"' },
    post(POLICIES, policy('of-maps', config)),
    post(POLICIES, policy('of-nothing', unknown)),
    post(POLICIES, policy('of-maps', config), 'admin'),
    post(POLICIES, policy('of-nothing', unknown), 'admin'),
    patch(`${POLICIES}/of-maps`, { spec: { failurePolicy: 'Ignore' } }),
    patch(`${POLICIES}/of-nothing`, { spec: { paramKind: config } }),
    patch(`${POLICIES}/plain`, { spec: { paramKind: config } }),
    post(BINDINGS, binding('free', 'of-maps')),
    post(BINDINGS, binding('named', 'of-maps', { name: 'a', namespace: 'default' })),
    post(BINDINGS, binding('selected', 'of-maps', { selector: {} })),
    post(BINDINGS, binding('missing', 'nowhere', { name: 'a' })),
    post(BINDINGS, binding('unresolved', 'of-nothing', { name: 'a' })),
    post(BINDINGS, binding('without', 'plain', { name: 'a' })),
    patch(`${BINDINGS}/free`, { spec: { paramRef: { name: 'a', parameterNotFoundAction: 'Allow' } } }),
    patch(`${ROLES}/policy-writer`, { rules: rules({ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }) }, 'admin'),
    // A refusal names the object and its kind too, but no object that is stored.
    { ...post(BINDINGS, binding('named', 'of-maps', { name: 'a', namespace: 'default' })), until: '"creationTimestamp"' },
    post(BINDINGS, binding('selected', 'of-maps', { selector: {} })),
    patch(`${BINDINGS}/free`, { spec: { paramRef: { name: 'a', parameterNotFoundAction: 'Allow' } } }),
    post(POLICIES, policy('own-maps', config)),
    patch(`${BINDINGS}/named`, { metadata: { labels: { a: 'b' } } }),
  ],
};

describeCluster('who writes an admission policy has to be allowed to read its parameters', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await startPair();
  });
  afterAll(() => pair?.stop());

  test(script.name, async () => {
    expect(reportOf(await compareScript(script, pair.speakers))).toBe('');
  });
});
