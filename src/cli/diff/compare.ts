import { groupVersionOf, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { crdChanges } from './crd-changes.js';
import { type Finding, findingOf } from './finding.js';
import { rightChanges } from './right-changes.js';
import type { Level } from './rules.js';
import { webhookChanges } from './webhook-changes.js';
import { deploymentChanges, serviceChanges } from './workload-changes.js';

const ORDER: readonly Level[] = ['breaking', 'review', 'info'];

/** Compares the objects of two releases. Findings come by weight, and then in the order of the objects. */
export function compareReleases(before: readonly KubernetesObject[], after: readonly KubernetesObject[]): readonly Finding[] {
  const [old, now] = [byIdentity(before), byIdentity(after)];
  const findings = [...new Set([...old.keys(), ...now.keys()])].flatMap((key) => changesOf(old.get(key), now.get(key)));
  return ORDER.flatMap((level) => findings.filter((finding) => finding.level === level));
}

function byIdentity(objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> {
  return new Map(
    objects.map((object) => {
      const { namespace = '', name = '' } = object.metadata;
      return [[groupVersionOf(object.apiVersion).group, object.kind, namespace, name].join('\n'), object];
    }),
  );
}

function changesOf(before: KubernetesObject | undefined, after: KubernetesObject | undefined): readonly Finding[] {
  const object = before ?? after;
  if (object === undefined) return [];
  const name = nameOf(object);
  const there = [
    ...(before === undefined ? [findingOf('object-added', name, '', 'is new')] : []),
    ...(after === undefined ? [findingOf('object-removed', name, '', 'is no longer installed')] : []),
  ];
  switch (object.kind) {
    case 'ClusterRole':
    case 'Role':
      return [...there, ...rightChanges(name, before, after)];
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration':
      return [...there, ...webhookChanges(name, before, after)];
    default:
      return before === undefined || after === undefined ? there : changesOfBoth(name, before, after);
  }
}

function changesOfBoth(name: string, before: KubernetesObject, after: KubernetesObject): readonly Finding[] {
  switch (before.kind) {
    case 'CustomResourceDefinition':
      return crdChanges(name, before, after);
    case 'Deployment':
      return deploymentChanges(name, before, after);
    case 'Service':
      return serviceChanges(name, before, after);
    default:
      return [];
  }
}

function nameOf({ kind, metadata: { namespace, name = '' } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
