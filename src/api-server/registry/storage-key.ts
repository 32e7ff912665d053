import { goQuote, pathSegmentProblems } from '@keelson/kubernetes/apimachinery';
import type { Target } from '../contract/index.js';
import { badRequest } from '../status/index.js';
import type { StoreKey } from '../store/index.js';

/** Where the object of a request is stored. @throws StatusError 400 for a name that is not a segment of a path */
export function keyOf({ served: { resource }, namespace, name }: Target): StoreKey {
  if (resource.scope === 'Namespaced' && namespace === '') throw badRequest('Namespace parameter required.');
  if (name === '') throw badRequest('Name parameter required.');
  const problems = pathSegmentProblems(name);
  if (problems.length > 0) throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${problems.join(';')}`);
  return { resource: resource.storageKey, namespace: resource.scope === 'Namespaced' ? namespace : '', name };
}

/** The folders of etcd that are not named after their resource. Source: kubernetes, `pkg/kubeapiserver/default_storage_factory_builder.go`. */
const FOLDERS: Readonly<Record<string, string>> = {
  '/replicationcontrollers': 'controllers',
  '/endpoints': 'services/endpoints',
  '/services': 'services/specs',
  '/nodes': 'minions',
  'extensions/ingresses': 'ingress',
  'networking.k8s.io/ingresses': 'ingress',
  'apiextensions.k8s.io/customresourcedefinitions': 'apiextensions.k8s.io/customresourcedefinitions',
  'apiregistration.k8s.io/apiservices': 'apiregistration.k8s.io/apiservices',
};

/** The key in etcd, which some conflicts show to the client. */
export function etcdKeyOf(target: Target): string {
  return `/registry${storagePathOf(target)}`;
}

/** The key in etcd without its prefix: errors of reads and dry runs show it. */
export function storagePathOf({ served: { resource }, namespace, name }: Target): string {
  const { group, plural } = resource;
  const folder = resource.isCustom ? `${group}/${plural}` : (FOLDERS[`${group}/${plural}`] ?? plural);
  return ['', folder, ...(resource.scope === 'Namespaced' ? [namespace] : []), name].join('/');
}
