import { expectTypeOf } from 'expect-type';
import {
  type BuiltinTypeName,
  type BuiltinTypes,
  ConfigMap,
  type Container,
  type CoreV1Event,
  CronJob,
  Deployment,
  defineKind,
  type Kind,
  type KindInfo,
  type NamedMeta,
  Namespace,
  Pod,
  type PodTemplateSpec,
  Service,
  StatefulSet,
  TokenReview,
} from 'keelson/kinds';
import { Deployment as AppsDeployment } from 'keelson/kinds/apps/v1';
import type { Event } from 'keelson/kinds/events/v1';

const template: PodTemplateSpec = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'a', image: 'a' }] } };
const selector = { matchLabels: { app: 'a' } };

// A kind is a type and a value under one name, the same in the flat index and in its group.
expectTypeOf(AppsDeployment).toEqualTypeOf(Deployment);
expectTypeOf(Deployment({ metadata: { name: 'a' }, spec: { selector, template } })).toEqualTypeOf<Deployment>();
expectTypeOf(Deployment).toExtend<Kind<Deployment, 'Namespaced'>>();
expectTypeOf(Namespace.scope).toEqualTypeOf<'Cluster'>();
expectTypeOf<Deployment['apiVersion']>().toEqualTypeOf<'apps/v1'>();

// Every kind fits where functions take any kind.
const kinds: readonly KindInfo[] = [Deployment, Pod, Namespace, TokenReview];
expectTypeOf(kinds).toExtend<readonly KindInfo<unknown>[]>();

// What the API returns has a name, and a spec where the server always writes one.
expectTypeOf<Pod['metadata']>().toEqualTypeOf<NamedMeta>();
expectTypeOf<Service['spec']['clusterIP']>().toEqualTypeOf<string | undefined>();
expectTypeOf<CoreV1Event['involvedObject']['name']>().toEqualTypeOf<string | undefined>();
expectTypeOf<Event['eventTime']>().toEqualTypeOf<string>();

// Literals discriminate.
declare const child: Deployment | Service | Pod;
if (child.kind === 'Service') expectTypeOf(child).toEqualTypeOf<Service>();
if (child.apiVersion === 'apps/v1') expectTypeOf(child.spec.template).toEqualTypeOf<PodTemplateSpec>();

// What nobody has to write may be left out: a spec without required fields, status, the identity of claim templates.
Service({ metadata: { name: 'a' } });
Namespace({ metadata: { name: 'a' } });
ConfigMap({ metadata: { name: 'a' }, data: { key: undefined as unknown as string } });
TokenReview({ metadata: { name: 'a' }, spec: { token: 'a' } });
StatefulSet({
  metadata: { name: 'a' },
  spec: {
    selector,
    template,
    serviceName: 'a',
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }],
  },
});

// Quantities and ports may be numbers or strings; optional fields accept undefined.
const container: Container = { name: 'a', image: undefined, resources: { limits: { cpu: 1, memory: '1Gi' } } };
Service({
  metadata: { name: 'a' },
  spec: {
    ports: [
      { port: 80, targetPort: 'http', protocol: 'TCP' },
      { port: 81, targetPort: 81 },
    ],
  },
});
Pod({ metadata: { name: 'a' }, spec: { containers: [container] } });

// @ts-expect-error a child must have a name
Deployment({ metadata: {}, spec: { selector, template } });
// @ts-expect-error metadata is missing
ConfigMap({ data: {} });
// @ts-expect-error a Deployment without a spec is refused by the API server
Deployment({ metadata: { name: 'a' } });
// @ts-expect-error the selector is missing
Deployment({ metadata: { name: 'a' }, spec: { template } });
// @ts-expect-error replica: did you mean replicas?
Deployment({ metadata: { name: 'a' }, spec: { replica: 1, selector, template } });
// @ts-expect-error specs: did you mean spec?
Service({ metadata: { name: 'a' }, specs: {} });
// @ts-expect-error an enum is a union of literals
Pod({ metadata: { name: 'a' }, spec: { containers: [container], restartPolicy: 'Sometimes' } });
// @ts-expect-error data of a ConfigMap are strings
ConfigMap({ metadata: { name: 'a' }, data: { size: 1 } });
// @ts-expect-error apiVersion is filled in
ConfigMap({ apiVersion: 'v1', metadata: { name: 'a' } });
// @ts-expect-error typos are found at any depth
CronJob({ metadata: { name: 'a' }, spec: { schedule: '@daily', jobTemplate: { spec: { templat: template } } } });

// Built-in schemas have their type.
expectTypeOf<BuiltinTypes['PodTemplateSpec']>().toEqualTypeOf<PodTemplateSpec>();
expectTypeOf<'PodTemplateSpec'>().toExtend<BuiltinTypeName>();
// @ts-expect-error JSONSchemaProps contains itself: it has no structural schema
const recursive: BuiltinTypeName = 'JSONSchemaProps';
expectTypeOf(recursive).toExtend<string>();

// Kinds of others: the annotation gives the types.
interface Widget {
  readonly apiVersion: 'example.com/v1';
  readonly kind: 'Widget';
  metadata: NamedMeta;
  spec: { size: number };
}
const Widget: Kind<Widget, 'Namespaced'> = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});
expectTypeOf(Widget({ metadata: { name: 'a' }, spec: { size: 1 } })).toEqualTypeOf<Widget>();
// @ts-expect-error the scope is that of the annotation
const Misplaced: Kind<Widget, 'Cluster'> = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});
expectTypeOf(Misplaced).toExtend<KindInfo>();

// An object is what a function declares, not the whole library: a hover shows the name of the interface.
export function readyReplicas(deployment: Deployment): number {
  return deployment.status?.readyReplicas ?? 0;
}
