import type { AdmissionPlugin } from '../access/index.js';
import {
  type BindingWrite,
  bindingWriteRefusal,
  RBAC_GROUP,
  type RbacAuthorizer,
  type RoleWrite,
  roleWriteRefusal,
} from '../access/index.js';

/** Users cannot give rights that they do not have. A real server asks this in the storage of roles and bindings; here it is the last of the mutating stations. */
export function rbacEscalation(authorizer: RbacAuthorizer): AdmissionPlugin {
  return {
    name: 'RBACEscalation',
    mutate({ served: { resource }, operation, subresource, namespace, name, object, oldObject, context }) {
      if (resource.group !== RBAC_GROUP || subresource !== '' || operation === 'DELETE' || object === undefined) return object;
      const write = { user: context.user, namespace, object, old: oldObject } as unknown;
      const refusal = resource.plural.endsWith('roles')
        ? roleWriteRefusal(
            {
              ...(write as RoleWrite),
              resource: resource.plural as RoleWrite['resource'],
              requestName: operation === 'CREATE' ? '' : name,
            },
            authorizer,
          )
        : bindingWriteRefusal({ ...(write as BindingWrite), resource: resource.plural as BindingWrite['resource'] }, authorizer);
      if (refusal !== undefined) throw refusal;
      return object;
    },
  };
}
