import { ownershipTree } from '../../../../src/cli/dev/page/ownership-tree.js';
import type { KubernetesObject } from '../../../../src/kubernetes/apimachinery/index.js';
import { object } from './owned-object.js';

describe('the ownership tree', () => {
  const shape = (roots: readonly KubernetesObject[], others: readonly KubernetesObject[]): readonly string[] =>
    ownershipTree(roots, others, []).map(({ name, depth }) => `${'-'.repeat(depth)}${name.replace('Thing shop/', '')}`);

  test('has what roots own below them, through references of controllers and annotations, and nobody else', () => {
    const annotated = object('kept', undefined, { annotations: { 'keelson.dev/owner': 'Thing/a/a' } });
    const pod = object('pod', 'set');
    expect(shape([object('a'), object('b')], [pod, object('set', 'a'), annotated, object('other'), object('lost', 'nobody')])).toEqual([
      'a',
      '-set',
      '--pod',
      '-kept',
      'b',
    ]);
  });

  test('a root that another root owns stands below it; two that own each other are shown once', () => {
    expect(shape([object('part', 'whole'), object('whole')], [])).toEqual(['whole', '-part']);
    expect(shape([object('x', 'y'), object('y', 'x')], [])).toEqual(['x', '-y']);
  });

  test('says what is being deleted, and all conditions', () => {
    const conditions = [{ type: 'Ready', status: 'False', reason: 'Waiting' }];
    expect(ownershipTree([object('a', undefined, { deletionTimestamp: 'now' }, { status: { conditions } })], [], [])).toMatchObject([
      { isDeleting: true, conditions: [{ type: 'Ready', status: 'False', reason: 'Waiting', message: '', meaning: 'bad' }] },
    ]);
  });
});
