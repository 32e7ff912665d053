import { unenforcedRules } from '../../../src/testing/admission/unenforced.js';
import { requestIn, resource, world } from './surroundings.js';

function warningsOf(plural: string, labels: Readonly<Record<string, string>> = {}): readonly string[] {
  const within = world();
  const { served } = requestIn(within);
  const core = { ...served, resource: resource({ group: '', plural }) };
  void unenforcedRules().validate?.(requestIn(within, { served: core, object: { metadata: { labels } } }));
  return within.warnings;
}

test.each([['resourcequotas', {}, 'ResourceQuota: the in-process API server of keelson does not enforce it']])(
  '%s with rules that nobody enforces: it is said',
  (plural, labels, text) => {
    expect(warningsOf(plural, labels)).toEqual([text]);
  },
);

test.each([
  ['namespaces', {}],
  ['namespaces', { 'pod-security.kubernetes.io/enforce': 'privileged' }],
  ['configmaps', {}],
])('%s %j: nothing is said', (plural, labels) => {
  expect(warningsOf(plural, labels)).toEqual([]);
});
