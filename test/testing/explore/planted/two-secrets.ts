import { type ExploreOptions, explore } from '@keelson/testing';
import { type Controller, defineController, defineCustomResource, defineOperator, own } from 'keelson';
import { Secret } from 'keelson/kinds';
import { z } from 'zod';
import type { Planted } from './planted.js';

const Account = defineCustomResource({
  group: 'planted.example.com',
  kind: 'Account',
  versions: { v1: { spec: z.object({ user: z.string() }), status: z.object({}) } },
});

const secret = (name: string, user: string) => Secret({ metadata: { name }, stringData: { user } });

/** The second Secret is made only together with the first: between the two writes the operator may be killed. */
const bug = defineController({
  name: 'accounts',
  for: Account,
  owns: { secrets: own(Secret, { verbs: ['create'] }) },
  async reconcile({ object, secrets, done }) {
    const { name } = object.metadata;
    if (secrets.get(`${name}-public`) === undefined) {
      await secrets.create(secret(`${name}-public`, object.spec.user));
      await secrets.create(secret(`${name}-private`, object.spec.user));
    }
    return done();
  },
});

const twin = defineController({
  name: 'accounts',
  for: Account,
  owns: { secrets: own(Secret, { verbs: ['create'] }) },
  async reconcile({ object, secrets, done }) {
    const { name } = object.metadata;
    for (const part of ['public', 'private'])
      if (secrets.get(`${name}-${part}`) === undefined) await secrets.create(secret(`${name}-${part}`, object.spec.user));
    return done();
  },
});

const options: ExploreOptions = {
  story: ({ apply, remove }) => [
    apply(Account({ metadata: { name: 'a' }, spec: { user: 'ann' } })),
    apply(Account({ metadata: { name: 'b' }, spec: { user: 'bob' } })),
    remove(Account, 'b'),
  ],
};
const operatorOf = (controller: Controller) => defineOperator({ name: 'account-operator', controllers: [controller] });

export const twoSecrets: Planted = {
  name: 'two Secrets guarded by the existence of the first',
  bug: (seeds) => explore(operatorOf(bug), { ...options, seeds }),
  twin: (seeds) =>
    explore(operatorOf(twin), {
      ...options,
      story: (user) => [...options.story(user), user.remove(Secret, 'a-private'), user.remove(Secret, 'a-public')],
      seeds,
    }),
  says: [/the operator is killed right after its write "create secrets\/\w-public"/, /- Secret \w-private/],
};
