import { type ExploreOptions, explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, external, k } from 'keelson';
import { z } from 'zod';
import type { Planted } from './planted.js';

const Ring = defineCustomResource({
  group: 'planted.example.com',
  kind: 'Ring',
  versions: { v1: { spec: z.object({ size: k.int32() }), status: z.object({ members: k.int32().optional() }) } },
});

interface Members {
  list(ring: string): Promise<string[]>;
  add(ring: string, address: string): Promise<void>;
}
interface Needed {
  readonly members: Members;
}

/** As etcd, which refuses an address that it knows. */
class FakeMembers implements Members {
  readonly rings: Record<string, string[]> = {};

  async list(ring: string): Promise<string[]> {
    return [...(this.rings[ring] ?? [])];
  }

  async add(ring: string, address: string): Promise<void> {
    const known = this.rings[ring] ?? [];
    if (known.includes(address)) throw new Error(`${address} is a member`);
    this.rings[ring] = [...known, address];
  }
}

const members = external<Members>();

/** What timed out is tried with the next address, although it may have been done. */
const bug = defineController({
  name: 'rings',
  for: Ring,
  uses: { members },
  async reconcile({ object, members, done }) {
    const { name } = object.metadata;
    const known = await members.list(name);
    let next = known.length;
    for (let missing = object.spec.size - known.length; missing > 0; missing -= 1) {
      const add = () => members.add(name, `${name}-${next++}`);
      await add().catch(add);
    }
    return done({ status: { members: object.spec.size } });
  },
});

const twin = defineController({
  name: 'rings',
  for: Ring,
  uses: { members },
  async reconcile({ object, members, done }) {
    const { name } = object.metadata;
    const known = await members.list(name);
    const missing = Array.from({ length: object.spec.size }, (_, index) => `${name}-${index}`).find((address) => !known.includes(address));
    if (missing === undefined) return done({ status: { members: known.length } });
    // A member has one address, and what failed may have been done: the next run looks anew.
    await members.add(name, missing);
    return done({ requeueAfter: '1s', status: { members: known.length } });
  },
});

const options: ExploreOptions<Needed> & { externals: () => { members: FakeMembers } } = {
  story: ({ apply, change }) => [apply(Ring({ metadata: { name: 'a' }, spec: { size: 1 } })), change(Ring, 'a', { spec: { size: 3 } })],
  externals: () => ({ members: new FakeMembers() }),
  // Its lists are linearizable: here it is the timeouts that are looked for.
  faults: { emptyAnswers: false, staleAnswers: false, failures: false },
  outside: ({ members }) => (members as FakeMembers).rings,
};
const operatorOf = (controller: Controller<Needed>) => defineOperator({ name: 'ring-operator', controllers: [controller] });

export const memberTwice: Planted = {
  name: 'a member added twice because the answer timed out',
  bug: (seeds) => explore(operatorOf(bug), { ...options, seeds }),
  twin: (seeds) => explore(operatorOf(twin), { ...options, seeds }),
  says: [/call of members\.add times out after it was done/, /\+ outside.*a-\d/],
};
