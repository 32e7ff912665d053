import { equalJson } from '@keelson/kubernetes/apimachinery';
import type { JsonObject } from '../contract/index.js';
import type { Controller, ControllerSurroundings } from './controller.js';
import { ControllerClient, isConflict, isGone, isTerminating } from './controller-client.js';
import { keyedController } from './keyed-controller.js';
import { isBeingDeleted, metaOf } from './metadata.js';

const NAMESPACES = { group: '', plural: 'namespaces' };

/** The objects that a namespace has from its beginning. */
interface Content {
  readonly controller: string;
  readonly plural: 'configmaps' | 'serviceaccounts';
  readonly name: string;
  /** The object to write where nothing is, or something else; undefined: all is well. */
  readonly wanted: (found: JsonObject | undefined) => object | undefined;
}

/** Keeps a ServiceAccount `default` in every namespace. Source: kubernetes `pkg/controller/serviceaccount`. */
export function serviceAccountController(surroundings: ControllerSurroundings): Controller {
  return contentController(
    {
      controller: 'service-account-controller',
      plural: 'serviceaccounts',
      name: 'default',
      wanted: (found) => (found === undefined ? { apiVersion: 'v1', kind: 'ServiceAccount' } : undefined),
    },
    surroundings,
  );
}

const DESCRIPTION = 'kubernetes.io/description';
const CA_DESCRIPTION =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. ' +
  'No other usage is guaranteed across distributions of Kubernetes clusters.';

/** Keeps the CA of the API server in every namespace: `kube-root-ca.crt`. Source: kubernetes `pkg/controller/certificates/rootcacertpublisher`. */
export function rootCaPublisher(surroundings: ControllerSurroundings, ca: string): Controller {
  const data = { 'ca.crt': ca };
  const wanted = (found: JsonObject | undefined): object | undefined => {
    const { annotations = {}, ...metadata } = found === undefined ? { annotations: {} } : metaOf(found);
    if (equalJson(found?.['data'], data) && annotations[DESCRIPTION]) return undefined;
    const described = { ...metadata, annotations: { ...annotations, [DESCRIPTION]: CA_DESCRIPTION } };
    return { apiVersion: 'v1', kind: 'ConfigMap', ...found, metadata: described, data };
  };
  return contentController({ controller: 'root-ca-cert-publisher', plural: 'configmaps', name: 'kube-root-ca.crt', wanted }, surroundings);
}

function contentController({ controller, plural, name, wanted }: Content, surroundings: ControllerSurroundings): Controller {
  const client = new ControllerClient(surroundings, controller);
  const resource = { group: '', plural };
  return keyedController(
    {
      name: controller,
      wants: ({ group, plural: one }) => group === '' && (one === 'namespaces' || one === plural),
      onEvent({ object: seen, resource: { plural: one } }, queue) {
        const meta = metaOf(seen);
        if (one === 'namespaces') queue.add(meta.name);
        else if (meta.name === name) queue.add(meta.namespace ?? '');
      },
      async handle(namespace) {
        const owner = surroundings.cluster.get(NAMESPACES, { namespace: '', name: namespace });
        if (owner === undefined || isBeingDeleted(owner)) return;
        const found = client.get({ resource, namespace, name });
        const object = wanted(found) as { readonly metadata?: object } | undefined;
        if (object === undefined) return;
        if (found !== undefined) return void (await client.update({ resource, namespace, name }, object));
        try {
          await client.create({ resource, namespace }, { ...object, metadata: { ...object.metadata, name, namespace } });
        } catch (error) {
          // Another client made it, or the namespace is going.
          if (!isConflict(error) && !isGone(error) && !isTerminating(error)) throw error;
        }
      },
    },
    surroundings,
  );
}
