import type { Json } from '@keelson/kubernetes/apimachinery';
import type { Admission, AdmissionRequest, JsonObject, ResourceCatalog } from '../../contract/index.js';
import type { BuiltinHandlers } from '../../kinds/index.js';
import { connectOptions } from './connect-options.js';

type Handler = BuiltinHandlers[string];

/** The judges of a request. */
export interface Admitting {
  readonly admission: () => Admission;
  readonly catalog: ResourceCatalog;
}

/**
 * Handlers of subresources behind admission: evictions, bindings and tokens as what they create, exec and its like as connections. New objects are
 * validated by the handlers themselves, after their own first checks.
 *
 * Source: apiserver, `pkg/endpoints/handlers/{create,rest}.go`.
 */
export function admittedHandlers(handlers: BuiltinHandlers, admitting: Admitting): BuiltinHandlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]) => [name, name.includes('/') ? admittedHandler(name, handler, admitting) : handler]),
  );
}

function admittedHandler(name: string, handler: Handler, { admission, catalog }: Admitting): Handler {
  const [plural = '', subresource = ''] = name.split('/');
  return async (request, context) => {
    const resource = catalog.find('', plural);
    const version = resource?.versions[0];
    const served = version?.subresources.find((candidate) => candidate.name === subresource);
    if (resource === undefined || version === undefined || served === undefined)
      throw new RangeError(`${name} has a handler and is not served`);
    const connects = served.connects === true;
    // A log is read.
    if (!connects && request.verb !== 'create') return handler(request, context);
    const { group = resource.group, version: at = version.version, kind } = served;
    const admitted = {
      operation: connects ? 'CONNECT' : 'CREATE',
      served: { resource, version },
      subresource,
      kind: { group, version: at, kind },
      namespace: request.namespace,
      name: request.name,
      object: connects ? connectOptions(kind, request.query) : (request.body as JsonObject),
      options: connects ? null : { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', ...dryRunOf(context.isDryRun) },
      context,
    } satisfies AdmissionRequest;
    const object = (await admission().mutate(admitted)) ?? admitted.object;
    if (connects) {
      await admission().validate({ ...admitted, object });
      return handler(request, context);
    }
    const validate = (body: JsonObject): Promise<void> => admission().validate({ ...admitted, object: body });
    return handler({ ...request, body: object as Json, validate }, context);
  };
}

function dryRunOf(isDryRun: boolean): { readonly dryRun?: readonly string[] } {
  return isDryRun ? { dryRun: ['All'] } : {};
}
