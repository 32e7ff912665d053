import { defineController, defineCustomResource, defineOperator, k, type Operator, own } from 'keelson';
import { ConfigMap, Deployment, Job, PersistentVolumeClaim, Pod, RoleBinding, Secret, Service, StatefulSet } from 'keelson/kinds';
import { z } from 'zod';

export type Turn = 'a' | 'b';

/** A kind of children that has a field which the API server keeps. */
export interface HeldKind {
  readonly kind: typeof ConfigMap;
  /** In both turns; they differ in the field alone. */
  readonly content: (name: string, turn: Turn) => object;
  /** As the API server names it. */
  readonly field: RegExp;
}

const podSpec = (image: string) => ({ restartPolicy: 'Never', containers: [{ name: 'a', image }] }) as const;
const template = (app: string) => ({ metadata: { labels: { app } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } });
const held = (kind: unknown, field: RegExp, content: HeldKind['content']): HeldKind => ({ kind: kind as typeof ConfigMap, field, content });

export const HELD: Readonly<Record<string, HeldKind>> = {
  jobs: held(Job, /spec\.template/, (name, turn) => Job({ metadata: { name }, spec: { template: { spec: podSpec(turn) } } })),
  pods: held(Pod, /spec/, (name, turn) => Pod({ metadata: { name }, spec: { ...podSpec('a'), hostname: turn } })),
  claims: held(PersistentVolumeClaim, /spec/, (name, turn) =>
    PersistentVolumeClaim({
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: turn, resources: { requests: { storage: '1Gi' } } },
    }),
  ),
  secrets: held(Secret, /data/, (name, turn) => Secret({ metadata: { name }, immutable: true, stringData: { key: turn } })),
  configs: held(ConfigMap, /data/, (name, turn) => ConfigMap({ metadata: { name }, immutable: true, data: { key: turn } })),
  sets: held(StatefulSet, /spec/, (name, turn) =>
    StatefulSet({
      metadata: { name },
      spec: { serviceName: turn, replicas: 0, selector: { matchLabels: { app: 'a' } }, template: template('a') },
    }),
  ),
  deployments: held(Deployment, /spec\.selector/, (name, turn) =>
    Deployment({ metadata: { name }, spec: { replicas: 0, selector: { matchLabels: { app: turn } }, template: template(turn) } }),
  ),
  services: held(Service, /spec\.clusterIP/, (name, turn) =>
    Service({
      metadata: { name },
      spec: { selector: { app: 'a' }, clusterIP: turn === 'a' ? 'None' : '10.0.0.77', ports: [{ port: 80 }] },
    }),
  ),
  bindings: held(RoleBinding, /roleRef/, (name, turn) =>
    RoleBinding({
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: turn },
      subjects: [{ kind: 'ServiceAccount', name: 'a', namespace: 'shop' }],
    }),
  ),
};

/** A kind whose objects hold one child of their own name: `spec.child` says of which handle, `spec.turn` its content. */
function holderOf(kind: string) {
  return defineCustomResource({
    group: 'holders.example.com',
    kind,
    versions: {
      v1: {
        spec: z.object({ child: z.string(), turn: z.enum(['a', 'b']).default('a') }),
        status: z.object({ conditions: k.conditions() }),
      },
    },
  });
}
export type Holder = ReturnType<typeof holderOf>;

function controllerOf(holder: Holder, kinds: typeof HELD, policy: object) {
  const owns = Object.fromEntries(
    Object.entries(kinds).map(([handle, { kind }]) => [handle, own(kind, policy as { readonly adopt?: 'unowned' })]),
  );
  return defineController({
    name: holder.kind.toLowerCase(),
    for: holder,
    owns,
    permissions: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], resourceNames: ['a', 'b'], verbs: ['bind'] }],
    reconcile({ object: { metadata, spec }, done }) {
      const content = kinds[spec.child]?.content(metadata.name, spec.turn);
      return done({
        owned: Object.fromEntries(Object.keys(kinds).map((handle) => [handle, handle === spec.child ? [content] : []])) as never,
      });
    },
  });
}

/** By what becomes of a field that cannot change. */
export const HOLDERS = { fail: holderOf('Failing'), recreate: holderOf('Recreating'), keep: holderOf('Keeping') } as const;
export const Adopter: Holder = holderOf('Adopting');

const data: typeof HELD = {
  configs: held(ConfigMap, /data/, (name, turn) => ConfigMap({ metadata: { name }, data: { by: 'us', turn } })),
};

export function holderOperator(): Operator {
  return defineOperator({
    name: 'holder-operator',
    controllers: [
      controllerOf(HOLDERS.fail, HELD, {}),
      controllerOf(HOLDERS.recreate, HELD, { onImmutable: 'recreate' }),
      controllerOf(HOLDERS.keep, HELD, { onImmutable: 'keep' }),
      controllerOf(Adopter, data, { adopt: 'unowned' }),
    ],
  });
}
