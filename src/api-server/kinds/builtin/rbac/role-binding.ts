import {
  dns1123SubdomainProblems,
  type FieldError,
  invalid,
  notSupported,
  pathSegmentProblems,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { declaredErrors, type Errors, internalValue, invalidEach, pathNames, those } from '../checks/index.js';
import type { ClusterRoleBinding, RoleBinding } from '../drafts.js';
import { semanticEqual } from '../semantic-equal.js';

const GROUP = 'rbac.authorization.k8s.io';

type Binding = ClusterRoleBinding | RoleBinding;
type Subject = NonNullable<RoleBinding['subjects']>[number];

/** Source: kubernetes `pkg/registry/rbac/rolebinding`, `pkg/apis/rbac/{v1,validation}`. */
export const roleBindings: Behaviour<RoleBinding> = bindings(['Role', 'ClusterRole']);

/** Source: kubernetes `pkg/registry/rbac/clusterrolebinding`, `pkg/apis/rbac/{v1,validation}`. */
export const clusterRoleBindings: Behaviour<ClusterRoleBinding> = bindings(['ClusterRole']);

function bindings(kinds: readonly string[]): Behaviour<Binding> {
  const isNamespaced = kinds.includes('Role');
  const errors = (binding: Binding): Errors =>
    those(
      roleErrors(binding, kinds),
      (binding.subjects ?? []).flatMap((subject, index) => subjectErrors(subject, isNamespaced, `subjects[${index}]`)),
      binding.roleRef.name === '' && declaredErrors([required('roleRef.name')]),
    );
  return {
    setDefaults({ roleRef, subjects }) {
      roleRef.apiGroup ||= GROUP;
      for (const subject of subjects ?? []) if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= GROUP;
    },
    validate: errors,
    validateUpdate: (binding, old) => [...errors(binding), ...changedRoleErrors(binding, old)],
    revalidatesMetadata: true,
    nameProblems: pathNames,
    allowsCreateOnUpdate: true,
  };
}

function changedRoleErrors({ roleRef }: Binding, old: Binding): Errors {
  if (semanticEqual(roleRef, old.roleRef)) return [];
  return [invalid('roleRef', internalValue('rbac/v1.RoleRef', roleRef), 'field is immutable')];
}

function roleErrors({ roleRef }: Binding, kinds: readonly string[]): Errors {
  const { apiGroup, kind, name } = roleRef;
  return those(
    apiGroup !== GROUP && notSupported('roleRef.apiGroup', apiGroup, [GROUP]),
    !kinds.includes(kind) && notSupported('roleRef.kind', kind, kinds),
    name !== '' && invalidEach('roleRef.name', name, pathSegmentProblems(name)),
  );
}

function subjectErrors({ kind, name, namespace = '', apiGroup = '' }: Subject, isNamespaced: boolean, path: string): Errors {
  const errors: FieldError[] = name === '' ? [...declaredErrors([required(`${path}.name`)])] : [];
  const field = `${path}.apiGroup`;
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') errors.push(...invalidEach(`${path}.name`, name, dns1123SubdomainProblems(name)));
      if (apiGroup !== '') errors.push(notSupported(field, apiGroup, ['']));
      return isNamespaced || namespace !== '' ? errors : [...errors, required(`${path}.namespace`)];
    case 'User':
    case 'Group':
      return apiGroup === GROUP ? errors : [...errors, notSupported(field, apiGroup, [GROUP])];
    default:
      return [...errors, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}
