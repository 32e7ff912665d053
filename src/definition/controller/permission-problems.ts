import type { Problem } from '../errors.js';
import type { RawPermission } from '../model.js';
import { namedNamespaceProblems } from '../named-namespaces.js';
import { shown } from '../option-shape.js';

/** Problems of raw rights; a right that no code uses must not be granted. */
export function permissionProblems(permissions: readonly RawPermission[]): Problem[] {
  return permissions.flatMap((rule, index) => {
    const path = `permissions[${index}]`;
    const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [], verbs, namespaces, clusterScoped } = rule;
    const problems: Problem[] = namedNamespaceProblems(namespaces, undefined, `${path}.namespaces`);
    if (namespaces !== undefined && (clusterScoped === true || nonResourceURLs.length > 0))
      problems.push({ path: `${path}.namespaces`, message: 'is set, but the rule is about nothing in a namespace; leave it out' });
    if (verbs === undefined || verbs.length === 0)
      problems.push({ path: `${path}.verbs`, message: 'is empty; the rule grants nothing: name the verbs' });
    if (nonResourceURLs.length > 0 === resources.length > 0) {
      problems.push({ path, message: 'must have either resources with their apiGroups, or nonResourceURLs' });
    }
    if (resources.length > 0 && apiGroups.length === 0)
      problems.push({ path: `${path}.apiGroups`, message: "is empty; name the group, '' for the core group" });
    if ([...apiGroups, ...resources, ...(verbs ?? [])].some((text) => text === '*' || text.endsWith('/*') || text.startsWith('*/'))) {
      problems.push({ path, message: "grants '*'; name the groups, resources and verbs that the code uses" });
    }
    if (verbs?.includes('deletecollection') === true) {
      problems.push({
        path: `${path}.verbs`,
        message: 'grants deletecollection, which can empty a namespace in one call; delete objects one by one',
      });
    }
    const wrong = verbs?.find((verb) => verb !== verb.toLowerCase());
    if (wrong !== undefined)
      problems.push({ path: `${path}.verbs`, message: `${shown(wrong)} is not a verb; write it in lower case, for example get` });
    if (resourceNames.length > 0 && verbs?.includes('create') === true) {
      problems.push({
        path: `${path}.resourceNames`,
        message: 'cannot restrict create: the API server checks it before it knows the name; give create a rule of its own',
      });
    }
    return problems;
  });
}
