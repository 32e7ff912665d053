import { expectTypeOf } from 'expect-type';
import {
  type DeepReadonly,
  type Draft,
  defaulting,
  defineController,
  defineCustomResource,
  draftOf,
  k,
  mutating,
  own,
  validating,
} from 'keelson';
import { ConfigMap, type Container, Deployment, Pod, type PodSpec } from 'keelson/kinds';
import { z } from 'zod';

const spec = z.object({
  tags: z.array(z.string()),
  nested: z.object({ labels: z.record(z.string(), z.string()), pods: k.builtin('PodTemplateSpec').optional() }),
  any: k.json().optional(),
});
const Tagged = defineCustomResource({
  group: 'tags.example.com',
  kind: 'Tagged',
  versions: { v1: { spec, status: z.object({ seen: z.array(z.string()).optional() }) } },
});

defineController({
  name: 'tagged',
  for: Tagged,
  owns: {
    configs: ConfigMap,
    deployments: own(Deployment, { verbs: ['apply', 'update'] }),
    others: own(Tagged, { desired: false, verbs: ['create'] }),
  },
  reads: { pods: Pod },
  async reconcile({ object, configs, deployments, others, pods, done }) {
    // @ts-expect-error a list that was given is readonly
    object.spec.tags.push('mine');
    // @ts-expect-error so is its field
    object.spec.tags = [];
    // @ts-expect-error and what is below
    object.spec.nested.labels['a'] = 'mine';
    // @ts-expect-error and what the schema took from a built-in kind
    object.spec.nested.pods.spec.containers.push({ name: 'a' });
    // @ts-expect-error and metadata
    object.metadata.labels = {};
    const config = configs.get('a');
    // @ts-expect-error what a handle reads is readonly
    if (config?.data !== undefined) config.data['a'] = 'b';
    const pod = await pods.get('a');
    // @ts-expect-error what the server has answered too
    pod?.spec.containers.push({ name: 'a' });

    // A list that a handle has made belongs to the caller; its objects do not.
    configs.list().sort((a, b) => a.metadata.name.localeCompare(b.metadata.name));

    // What is read goes into what is written, and into a status, as it is.
    await others.create(Tagged({ metadata: { name: 'b' }, spec: { tags: object.spec.tags, nested: object.spec.nested } }));
    const deployment = deployments.get('a');
    if (deployment !== undefined) {
      const next = draftOf(deployment);
      next.spec.replicas = 3;
      next.spec.template.spec?.containers.push({ name: 'proxy' });
      await deployments.update(next);
      await deployments.update({ ...deployment, spec: { ...deployment.spec, replicas: 2 } });
    }
    return done({ status: { seen: object.spec.tags } });
  },
});

// Literals and variables that are built step by step are as easy as ever: what may be changed fits where it is only read.
const containers = [{ name: 'a', args: ['x'] }];
containers.push({ name: 'b', args: [] });
const labels: Record<string, string> = {};
labels['app'] = 'a';
Pod({ metadata: { name: 'a', labels }, spec: { containers } });
const drafted: Draft<PodSpec> = { containers: [] };
drafted.containers.push({ name: 'a' });
drafted.nodeSelector ??= {};
drafted.nodeSelector['zone'] = 'a';
Pod({ metadata: { name: 'a' }, spec: drafted });
const tags = ['a'];
tags.push('b');
Tagged({ metadata: { name: 'a' }, spec: { tags, nested: { labels } } });

// Handlers that complete an object change it in place; those that judge it do not.
defaulting(Tagged, (object, { old }) => {
  object.spec.tags.push('default');
  object.spec.nested.labels['a'] = 'b';
  object.metadata.labels = { ...object.metadata.labels, a: 'b' };
  // @ts-expect-error the stored object is readonly
  old?.spec.tags.push('a');
});
mutating(Pod, {
  apply: (pod) => {
    pod.spec.containers.push({ name: 'proxy' });
    for (const container of pod.spec.containers) container.env = [...(container.env ?? []), { name: 'A', value: 'b' }];
  },
});
// A new object is as good: it may share parts with the given one.
mutating(Pod, { apply: (pod) => ({ ...pod, spec: { ...pod.spec, containers: [...pod.spec.containers, sidecar] } }) });
declare const sidecar: Container;
validating(Tagged, (object) => {
  // @ts-expect-error an object that is checked is readonly
  object.spec.tags.push('a');
  return [];
});

// Both ways leave scalars, unions, absent fields and JSON as they are.
interface Sample {
  a?: 'x' | 'y' | undefined;
  b: { c: number[] }[] | null;
  d: Record<string, { e: boolean }>;
  f: unknown;
}
interface ReadonlySample {
  readonly a?: 'x' | 'y' | undefined;
  readonly b: readonly { readonly c: readonly number[] }[] | null;
  readonly d: Readonly<Record<string, { readonly e: boolean }>>;
  readonly f: unknown;
}
expectTypeOf<DeepReadonly<Sample>>().toEqualTypeOf<ReadonlySample>();
expectTypeOf<Draft<ReadonlySample>>().toEqualTypeOf<Sample>();
expectTypeOf<Draft<Draft<Pod>>>().toEqualTypeOf<Draft<Pod>>();
expectTypeOf<Draft<Pod>>().toExtend<Pod>();
expectTypeOf(draftOf(sidecar)).toEqualTypeOf<Draft<Container>>();
