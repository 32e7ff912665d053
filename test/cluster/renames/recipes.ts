import { defineController, defineCustomResource, defineOperator, k, type Operator, own, release } from 'keelson';
import { ConfigMap, Secret, ServiceAccount } from 'keelson/kinds';
import { z } from 'zod';

/** One custom resource for all recipes: each has a cluster, or a namespace, of its own. */
export const Site = defineCustomResource({
  group: 'renames.example.com',
  kind: 'Site',
  versions: {
    v1: {
      spec: z.object({ size: k.int32().optional(), replicas: k.int32().optional() }),
      status: z.object({
        cleaned: z.string().optional(),
        old: z.string().optional(),
        seen: k.int32().optional(),
        conditions: k.conditions(),
      }),
    },
  },
});
const GROUP = 'renames.example.com';

/** Two releases of one operator, and what is on the cluster when the second has taken over. */
export interface Recipe {
  readonly before: Operator;
  readonly after: Operator;
  /** Finalizers of an object then. */
  readonly finalizers?: readonly string[];
  /** Children then, as `Kind name key,key`. */
  readonly children: readonly string[];
  /** Children that have no owner any more. */
  readonly kept?: readonly string[];
}

const config = (name: string, data: Readonly<Record<string, string>>) => ConfigMap({ metadata: { name }, data });
const first = (name: string) => ConfigMap({ metadata: { name: `${name}-first` } });

/** A controller with one of each thing that stands on objects under its name. */
function whole(name: string, options: { readonly isNext: boolean; readonly formerNames?: readonly string[] }) {
  const { isNext, formerNames } = options;
  return defineController({
    name,
    for: Site,
    owns: { configs: ConfigMap, accounts: own(ServiceAccount, { existence: 'once' }) },
    ...(formerNames === undefined ? {} : { formerNames }),
    reconcile: ({ object: { metadata }, done }) =>
      done({
        owned: {
          configs: [config(metadata.name, isNext ? { kept: 'yes' } : { kept: 'yes', dropped: 'yes' })],
          accounts: [ServiceAccount({ metadata: { name: `${metadata.name}-once` } })],
        },
        status: isNext ? { seen: 1 } : { seen: 1, old: 'yes' },
      }),
    finalize: () => undefined,
  });
}

const plain = (name: string, finalizes: boolean, formerFinalizers?: readonly string[]) =>
  defineController({
    name,
    for: Site,
    owns: { configs: ConfigMap },
    ...(formerFinalizers === undefined ? {} : { formerFinalizers }),
    reconcile: ({ object: { metadata }, done }) =>
      done({ owned: { configs: [config(metadata.name, { kept: 'yes' })] }, status: { seen: 1 } }),
    ...(finalizes ? { finalize: () => undefined } : {}),
  });

/** The controller that goes: it shares the kind with another one. */
const backup = defineController({
  name: 'backup',
  for: Site,
  owns: { secrets: Secret },
  writesStatus: { summary: 'BackedUp', fields: ['old'] },
  reconcile: ({ object: { metadata }, done }) =>
    done({ owned: { secrets: [Secret({ metadata: { name: metadata.name }, stringData: { key: 'k' } })] }, status: { old: 'yes' } }),
  finalize: () => undefined,
});

const withHandle = (handle: 'secrets' | 'none', children?: 'delete' | 'keep') =>
  defineController({
    name: 'sites',
    for: Site,
    owns: handle === 'none' ? { configs: ConfigMap } : { configs: ConfigMap, secrets: Secret },
    ...(children === undefined ? {} : { released: { secrets: release(Secret, children) } }),
    reconcile: ({ object: { metadata }, done }) =>
      done({
        owned: {
          configs: [config(metadata.name, { kept: 'yes' })],
          ...(handle === 'none' ? {} : { secrets: [Secret({ metadata: { name: metadata.name }, stringData: { key: 'k' } })] }),
        } as never,
        status: { seen: 1 },
      }),
  });

const withOnce = (handle: 'jobs' | 'starts', formerNames?: readonly string[]) =>
  defineController({
    name: 'sites',
    for: Site,
    owns: { [handle]: own(ConfigMap, { existence: 'once', ...(formerNames === undefined ? {} : { formerNames }) }) },
    reconcile: ({ object: { metadata }, done }) => done({ owned: { [handle]: [first(metadata.name)] } as never, status: { seen: 1 } }),
  });

const one = (...controllers: readonly ReturnType<typeof plain>[]): Operator => defineOperator({ name: 'site-operator', controllers });

export const RECIPES: Readonly<Record<string, Recipe>> = {
  'a controller gets another name': {
    before: one(whole('sites', { isNext: false })),
    after: one(whole('pages', { isNext: true, formerNames: ['sites'] })),
    finalizers: [`${GROUP}/pages`],
    children: ['ConfigMap a kept'],
  },
  'a controller goes, and another one of the kind inherits': {
    before: one(plain('sites', true), backup),
    after: one(
      defineController({
        name: 'sites',
        for: Site,
        owns: { configs: ConfigMap },
        formerNames: ['backup'],
        released: { secrets: release(Secret, 'delete') },
        reconcile: ({ object: { metadata }, done }) =>
          done({ owned: { configs: [config(metadata.name, { kept: 'yes' })] }, status: { seen: 1 }, conditions: [] }),
        finalize: () => undefined,
      }),
    ),
    finalizers: [`${GROUP}/sites`],
    children: ['ConfigMap a kept'],
  },
  'finalize goes': {
    before: one(plain('sites', true)),
    after: one(plain('sites', false, [`${GROUP}/sites`])),
    children: ['ConfigMap a kept'],
  },
  'a handle goes, and its children are deleted': {
    before: one(withHandle('secrets')),
    after: one(withHandle('none', 'delete')),
    children: ['ConfigMap a kept'],
  },
  'a handle goes, and its children are kept': {
    before: one(withHandle('secrets')),
    after: one(withHandle('none', 'keep')),
    children: ['ConfigMap a kept', 'Secret a key'],
    kept: ['Secret a key'],
  },
  'a handle of what is made once gets another name': {
    before: one(withOnce('jobs')),
    after: one(withOnce('starts', ['jobs'])),
    children: [],
  },
  'the operator gets another name': {
    before: one(whole('sites', { isNext: false })),
    after: defineOperator({ name: 'page-operator', formerNames: ['site-operator'], controllers: [whole('sites', { isNext: true })] }),
    finalizers: [`${GROUP}/sites`],
    children: ['ConfigMap a kept'],
  },
};

/** The same without a word about it: an object that is deleted then stays for ever. */
export const FORGOTTEN = {
  before: one(whole('sites', { isNext: false })),
  after: one(plain('pages', false)),
} satisfies Pick<Recipe, 'before' | 'after'>;
