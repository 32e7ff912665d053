import type { Controller, ControllerSurroundings } from './controller.js';
import { ControllerClient, isConflict, isGone } from './controller-client.js';
import { keyedController } from './keyed-controller.js';
import { isBeingDeleted, metaOf } from './metadata.js';

const NAMESPACES = { group: '', plural: 'namespaces' };

/** What a namespace has from its beginning. */
interface Content {
  readonly controller: string;
  readonly plural: 'configmaps' | 'serviceaccounts';
  readonly name: string;
  readonly object: object;
}

/** Keeps a ServiceAccount `default` in every namespace. Source: kubernetes `pkg/controller/serviceaccount`. */
export function serviceAccountController(surroundings: ControllerSurroundings): Controller {
  return contentController(
    {
      controller: 'service-account-controller',
      plural: 'serviceaccounts',
      name: 'default',
      object: { apiVersion: 'v1', kind: 'ServiceAccount' },
    },
    surroundings,
  );
}

/** Keeps the CA of the API server in every namespace: `kube-root-ca.crt`. Source: kubernetes `pkg/controller/certificates/rootcacertpublisher`. */
export function rootCaPublisher(surroundings: ControllerSurroundings, ca: string): Controller {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', data: { 'ca.crt': ca } };
  return contentController({ controller: 'root-ca-cert-publisher', plural: 'configmaps', name: 'kube-root-ca.crt', object }, surroundings);
}

function contentController({ controller, plural, name, object }: Content, surroundings: ControllerSurroundings): Controller {
  const client = new ControllerClient(surroundings, controller);
  const resource = { group: '', plural };
  return keyedController(
    {
      name: controller,
      wants: ({ group, plural: one }) => group === '' && (one === 'namespaces' || one === plural),
      onEvent({ type, object: seen, resource: { plural: one } }, queue) {
        const meta = metaOf(seen);
        if (one === 'namespaces') queue.add(meta.name);
        else if (meta.name === name && type === 'DELETED') queue.add(meta.namespace ?? '');
      },
      async handle(namespace) {
        const found = surroundings.cluster.get(NAMESPACES, { namespace: '', name: namespace });
        if (found === undefined || isBeingDeleted(found) || client.get({ resource, namespace, name }) !== undefined) return;
        const { metadata = {} } = object as { readonly metadata?: object };
        try {
          await client.create({ resource, namespace }, { ...object, metadata: { ...metadata, name, namespace } });
        } catch (error) {
          // Somebody else made it, or the namespace is going.
          if (!isConflict(error) && !isGone(error) && !isTerminating(error)) throw error;
        }
      },
    },
    surroundings,
  );
}

function isTerminating(error: unknown): boolean {
  const { details } =
    (error as { readonly status?: { readonly details?: { readonly causes?: readonly { readonly reason?: string }[] } } }).status ?? {};
  return details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
}
