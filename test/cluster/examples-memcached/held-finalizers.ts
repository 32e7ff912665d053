import { isInvalid, mergePatch } from '@keelson/testing';
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from 'keelson/kinds';
import { Memcached } from '../../../examples/memcached/memcached.js';
import type { World } from './world.js';

const POLICY = 'held-finalizers';

/** Until it is removed, a policy of somebody else forbids that the finalizers of this one are taken away. */
export async function heldFinalizers(cluster: World['cluster'], name: string): Promise<{ readonly remove: () => Promise<void> }> {
  const rule = { apiGroups: ['cache.example.com'], apiVersions: ['*'], operations: ['UPDATE' as const], resources: ['memcacheds'] };
  const names = [name, `${name}-probe`];
  const expression = `!(object.metadata.name in ${JSON.stringify(names)}) || !has(oldObject.metadata.finalizers) || has(object.metadata.finalizers)`;
  await cluster.create(
    ValidatingAdmissionPolicy({
      metadata: { name: POLICY },
      spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression, message: 'is held' }] },
    }),
  );
  await cluster.create(
    ValidatingAdmissionPolicyBinding({ metadata: { name: POLICY }, spec: { policyName: POLICY, validationActions: ['Deny'] } }),
  );
  const probe = Memcached({
    metadata: { name: `${name}-probe`, finalizers: ['example.com/probe'] },
    spec: { size: 1, image: 'memcached:1.6' },
  });
  await cluster.create(probe);
  // A server takes up a policy a moment after it was written.
  const isHeld = (): Promise<boolean> =>
    cluster.patch(Memcached, probe.metadata.name ?? '', mergePatch({ metadata: { finalizers: null } }), { dryRun: true }).then(
      () => false,
      (error: unknown) => {
        if (isInvalid(error)) return true;
        throw error;
      },
    );
  while (!(await isHeld()));
  const remove = async (): Promise<void> => {
    await cluster.delete(ValidatingAdmissionPolicyBinding, POLICY);
    await cluster.delete(ValidatingAdmissionPolicy, POLICY);
    while (await isHeld());
    await cluster.patch(Memcached, probe.metadata.name ?? '', mergePatch({ metadata: { finalizers: null } }));
    await cluster.delete(Memcached, probe.metadata.name ?? '');
  };
  return { remove };
}
