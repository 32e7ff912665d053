import type { Ingress, IngressClass } from '@keelson/kubernetes/kinds';
import type { ClusterView } from '../../../contract/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { newestName } from './newest.js';
import { withSpec, writes } from './request-of.js';

const IS_DEFAULT = 'ingressclass.kubernetes.io/is-default-class';
/** The name of a class before it was a field. */
const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** DefaultIngressClass: an ingress that names no class gets the cluster's. Source: kubernetes `plugin/pkg/admission/network/defaultingressclass`. */
export function defaultIngressClass(cluster: ClusterView): AdmissionPlugin {
  return {
    name: 'DefaultIngressClass',
    mutate(request) {
      const { object, operation } = request;
      if (object === undefined || operation !== 'CREATE' || !writes(request, 'networking.k8s.io', 'ingresses')) return object;
      const { metadata, spec } = object as unknown as Ingress;
      if (spec?.ingressClassName !== undefined || metadata?.annotations?.[CLASS_ANNOTATION] !== undefined) return object;
      const classes = cluster.list({ group: 'networking.k8s.io', plural: 'ingressclasses' }) as unknown as readonly IngressClass[];
      const name = newestName(classes.filter((one) => one.metadata?.annotations?.[IS_DEFAULT] === 'true'));
      return name === undefined ? object : withSpec(object, { ingressClassName: name });
    },
  };
}
