/** A right that the caller lacks, as an RBAC rule would name it. */
export type MissingRight =
  | {
      readonly user: string;
      readonly verb: string;
      /** API group; `''` is the core group. */
      readonly group: string;
      /** With its subresource, for example `pods/eviction`. */
      readonly resource: string;
      /** `undefined`: at the cluster scope, or in all namespaces. */
      readonly namespace: string | undefined;
      /** The object that was meant; `undefined` for a collection. */
      readonly name: string | undefined;
    }
  | { readonly user: string; readonly verb: string; readonly path: string };

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';
const RESOURCE = new RegExp(
  `User ${QUOTED} cannot (\\S+) resource ${QUOTED} in API group ${QUOTED} (?:in the namespace ${QUOTED}|at the cluster scope)`,
);
const PATH = new RegExp(`User ${QUOTED} cannot (\\S+) path ${QUOTED}`);

/**
 * The right that a refusal's text names; `undefined` when it was not the authorizer that refused, but a quota or an admission plugin.
 *
 * The text is the only place that has it all. Source: apiserver `pkg/endpoints/handlers/responsewriters/errors.go`.
 */
export function missingRight(message: string, name: string | undefined): MissingRight | undefined {
  const resource = RESOURCE.exec(message);
  if (resource !== null) {
    const [, user = '', verb = '', plural = '', group = '', namespace] = resource;
    return { user: unquoted(user), verb, group, resource: plural, namespace, name: name === '' ? undefined : name };
  }
  const path = PATH.exec(message);
  if (path === null) return undefined;
  const [, user = '', verb = '', nonResource = ''] = path;
  return { user: unquoted(user), verb, path: unquoted(nonResource) };
}

export function rightText(right: MissingRight): string {
  if ('path' in right) return `grant ${right.user}: verbs [${right.verb}], nonResourceURLs [${right.path}]`;
  const { user, verb, group, resource, namespace } = right;
  const where = namespace === undefined ? 'in a ClusterRole' : `in a Role of namespace ${namespace} or a ClusterRole`;
  return `grant ${user}: verbs [${verb}], resources [${resource}], apiGroups ["${group}"], ${where}`;
}

/** The server escapes the characters of HTML, and Go's quotes escape the rest; user names with either are rare, but they are not to be shown wrongly. */
function unquoted(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
