import {
  equivalentsOf,
  isExempt,
  matchesObject,
  matchesRule,
  matchNamespace,
  type OperationRule,
  type Selectors,
  selectorOf,
} from '../../../../src/api-server/access/admission/match/index.js';
import type { AdmissionRequest } from '../../../../src/api-server/contract/index.js';
import { StatusError } from '../../../../src/api-server/status/index.js';
import type { LabelSelectorFields } from '../../../../src/kubernetes/apimachinery/index.js';
import { builtinRequest, refusalOf, requestIn, resource, world } from './surroundings.js';

const ALL: OperationRule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };

function meets(rule: Partial<OperationRule>, request: Partial<AdmissionRequest> = {}): boolean {
  const asked = requestIn(world(), request);
  return matchesRule({ ...ALL, ...rule }, asked, asked.served);
}

test.each<[Partial<OperationRule>, Partial<AdmissionRequest>, boolean]>([
  [{}, {}, true],
  [{ operations: ['UPDATE', 'CREATE'] }, {}, true],
  [{ operations: ['UPDATE'] }, {}, false],
  [{ operations: [] }, {}, false],
  [{ apiGroups: ['', 'example.com'] }, {}, true],
  [{ apiGroups: [''] }, {}, false],
  [{ apiVersions: ['v1'] }, {}, true],
  [{ apiVersions: ['v1beta1'] }, {}, false],
  [{ scope: 'Namespaced' }, {}, true],
  [{ scope: 'Cluster' }, {}, false],
  [{ scope: 'Cluster' }, { namespace: '' }, true],
])('the rule %j and the request %j: %j', (rule, request, isMet) => {
  expect(meets(rule, request)).toBe(isMet);
});

test.each([
  ['things', '', true],
  ['things', 'status', false],
  ['things/status', 'status', true],
  ['things/status', '', false],
  ['things/*', '', true],
  ['things/*', 'status', true],
  ['*', 'status', false],
  ['*/*', 'status', true],
  ['*/scale', 'status', false],
  ['others', '', false],
])('%j is about things with the subresource %j: %j', (wanted, subresource, isMet) => {
  expect(meets({ resources: [wanted] }, { subresource })).toBe(isMet);
});

test('a Namespace is in the scope of the cluster, though its request has a namespace', () => {
  const request = builtinRequest(world(), 'namespaces', { namespace: 'a' });
  expect([matchesRule({ ...ALL, scope: 'Cluster' }, request, request.served)]).toEqual([true]);
  expect([matchesRule({ ...ALL, scope: 'Namespaced' }, request, request.served)]).toEqual([false]);
});

const TEAM_X: LabelSelectorFields = { matchLabels: { team: 'x' } };
const TEAM_Y: LabelSelectorFields = { matchLabels: { team: 'y' } };
const selectors = (namespaces?: LabelSelectorFields, objects?: LabelSelectorFields): Selectors => ({
  namespaceSelector: selectorOf(namespaces),
  objectSelector: selectorOf(objects),
});

describe('the labels of the namespace', () => {
  const within = world();
  const matched = (selector: LabelSelectorFields | undefined, request: AdmissionRequest): unknown =>
    matchNamespace(selectors(selector), request, within.cluster);

  test('are those of the stored one', () => {
    expect([matched(TEAM_X, requestIn(within)), matched(TEAM_Y, requestIn(within)), matched(undefined, requestIn(within))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('do not count for what is in none', () => {
    expect(matched(TEAM_Y, requestIn(within, { namespace: '' }))).toBe(true);
  });

  test('are those that a Namespace is to have when it is written, and those that it has when it is deleted', () => {
    const object = { metadata: { name: 'a', labels: { team: 'y' } } };
    const written = builtinRequest(within, 'namespaces', { object });
    expect([matched(TEAM_Y, written), matched(TEAM_Y, { ...written, operation: 'DELETE' })]).toEqual([true, false]);
    expect(matched(TEAM_Y, { ...written, subresource: 'status' })).toBe(false);
  });

  test('are missing with their namespace, which is returned and not thrown: the rest may not match', () => {
    const found = matched(TEAM_X, requestIn(within, { namespace: 'gone' }));
    expect(StatusError.isStatusError(found) && found.message).toBe('namespaces "gone" not found');
    expect(matched(undefined, requestIn(within, { namespace: 'gone' }))).toBe(true);
  });
});

test('an object matches by the labels that it has, or had', () => {
  const request = requestIn(world());
  const isMatch = (size: string, more: Partial<AdmissionRequest> = {}): boolean =>
    matchesObject(selectors({}, { matchLabels: { size } }), { ...request, ...more });
  expect([isMatch('big'), isMatch('small')]).toEqual([true, false]);
  expect(isMatch('small', { oldObject: { metadata: { labels: { size: 'small' } } } })).toBe(true);
  expect(matchesObject(selectors(), { ...request, object: { metadata: {} } })).toBe(true);
});

test('a selector that was stored and cannot be read is an error of the server', async () => {
  const broken = { matchExpressions: [{ key: 'a', operator: 'Near' }] } as unknown as LabelSelectorFields;
  expect(await refusalOf(() => selectorOf(broken))).toMatch(/^Internal error occurred: .*Near/);
});

test('the same objects are found at their other versions, in other groups too, where those have the subresource', () => {
  const within = world();
  const [first] = resource().versions;
  const scaled = { ...first, version: 'v2', subresources: [{ name: 'scale' }] } as never;
  within.catalog.put(resource({ group: 'other.example.com', versions: [scaled] }));
  within.catalog.put(resource({ plural: 'strangers', storageKey: 'example.com/strangers' }));
  const at = (request: AdmissionRequest): readonly string[] =>
    equivalentsOf(request, within.catalog).map((one) => `${one.resource.group}/${one.version.version}`);
  expect(at(requestIn(within))).toEqual(['example.com/v1beta1', 'other.example.com/v2']);
  expect(at(requestIn(within, { version: 'v1beta1', subresource: 'scale' }))).toEqual(['other.example.com/v2']);
});

test('nobody is asked about webhooks and policies themselves, so that a broken one can be taken away', () => {
  const request = (group: string, kind: string): AdmissionRequest => {
    const { served, ...rest } = requestIn(world());
    return { ...rest, served: { ...served, resource: resource({ group, kind }) } };
  };
  expect(isExempt(request('admissionregistration.k8s.io', 'ValidatingWebhookConfiguration'))).toBe(true);
  expect(isExempt(request('admissionregistration.k8s.io', 'MutatingAdmissionPolicyBinding'))).toBe(true);
  expect(isExempt(request('example.com', 'ValidatingWebhookConfiguration'))).toBe(false);
});
