import { mutatingPolicy } from 'keelson';
import { Pod } from 'keelson/kinds';
import { HASH_ANNOTATION, HASH_WITHOUT_IMAGE_ANNOTATION, IGNORED_NAMESPACES } from './names.js';
import { SidecarSet } from './sidecar-set.js';

/** CEL that is true where the labels fit a selector. */
function selects(selector: string, labels: string): string {
  const value = `(e.key in ${labels} && ${labels}[e.key] in e.?values.orValue([]))`;
  const demand = `e.operator == 'In' ? ${value} : e.operator == 'NotIn' ? !${value} : (e.key in ${labels}) == (e.operator == 'Exists')`;
  return (
    `${selector}.?matchLabels.orValue({}).all(k, k in ${labels} && ${labels}[k] == ${selector}.matchLabels[k])` +
    ` && ${selector}.?matchExpressions.orValue([]).all(e, ${demand})`
  );
}

/** CEL of the variables that a sidecar `c` has in the Pod: its own, those that it takes over, and `IS_INJECTED`. */
const own = "c.?env.orValue([]).filter(v, v.name != 'IS_INJECTED')";
const isThere = 'object.spec.containers.exists(o, o.name == t.from && o.?env.orValue([]).exists(v, v.name == t.name))';
const theirs = 'object.spec.containers.filter(o, o.name == t.from)[0].env.filter(v, v.name == t.name)[0]';
const taken = `variables.transferred.filter(t, ${isThere} && !${own}.exists(v, v.name == t.name)).map(t, ${theirs})`;
const environment = `${own} + ${taken} + [dyn({'name': 'IS_INJECTED', 'value': 'true'})]`;

/** Operations that put these sidecars into a list of containers, the first of them at an index. */
function insertion(list: 'containers' | 'initContainers', sidecars: string, first: string): string {
  const path = `'/spec/${list}/' + string(${first} + i)`;
  return [
    `${sidecars}.transformList(i, c, JSONPatch{op: 'add', path: ${path}, value: c})`,
    `${sidecars}.transformList(i, c, JSONPatch{op: 'add', path: ${path} + '/env', value: ${environment}})`,
  ].join(' + ');
}

/** Operations that append to a list what it does not have by name. */
function union(list: 'imagePullSecrets' | 'volumes'): string {
  const missing = `variables.set.?${list}.orValue([]).filter(m, !object.spec.?${list}.orValue([]).exists(p, p.name == m.name))`;
  return `${begun(list, `size(${missing}) > 0`)} + ${missing}.map(m, JSONPatch{op: 'add', path: '/spec/${list}/-', value: m})`;
}

function begun(list: string, isNeeded: string): string {
  return `(has(object.spec.${list}) || !(${isNeeded}) ? [] : [JSONPatch{op: 'add', path: '/spec/${list}', value: []}])`;
}

/** The text of an annotation that maps SidecarSets to hashes, with this one in it. */
function marked(annotation: string): string {
  const before = `object.metadata.?annotations[?'${annotation}'].orValue('{}')`;
  const entry = `'"' + params.metadata.name + '":"' + params.metadata.annotations['${annotation}'] + '"}'`;
  return `(${before} == '{}' ? '{' : ${before}.substring(0, size(${before}) - 1) + ',') + ${entry}`;
}

const ignored = JSON.stringify(IGNORED_NAMESPACES);

// #region policy
/**
 * Adds the sidecars to Pods as the webhook does, without a process: once for each SidecarSet, which it gets as `params`.
 *
 * Only the webhook does what CEL cannot do: a refusal at the field of a name that is taken (here the API server refuses the Pod, or keeps its volume), an order
 * of several SidecarSets, annotations that other clients have written.
 */
export const podSidecarPolicy = mutatingPolicy(Pod, {
  name: 'sidecars.apps.example.com',
  operations: ['CREATE'],
  namespaceSelector: { matchExpressions: [{ key: 'control-plane', operator: 'DoesNotExist' }] },
  params: { kind: SidecarSet, selector: {}, parameterNotFoundAction: 'Allow' },
  variables: [
    { name: 'labels', expression: 'object.metadata.?labels.orValue({})' },
    { name: 'namespaceLabels', expression: 'namespaceObject.metadata.?labels.orValue({})' },
    {
      name: 'selected',
      expression:
        `!(request.namespace in ${ignored}) && !has(params.metadata.deletionTimestamp) && !params.spec.injectionPaused` +
        ` && ${selects('params.spec.selector', 'variables.labels')}` +
        ` && (!has(params.spec.namespaceSelector) || (${selects('params.spec.namespaceSelector', 'variables.namespaceLabels')}))`,
    },
    // A Pod that is not selected gets the sidecars of an empty set: none.
    { name: 'set', expression: 'variables.selected ? dyn(params.spec) : dyn({})' },
    { name: 'transferred', expression: 'variables.set.?transferEnv.orValue([])' },
    {
      name: 'isMarked',
      expression: `object.metadata.?annotations[?'${HASH_ANNOTATION}'].orValue('').contains('"' + params.metadata.name + '":')`,
    },
    { name: 'present', expression: '(object.spec.containers + object.spec.?initContainers.orValue([])).map(c, c.name)' },
    { name: 'sidecars', expression: absent('containers') },
    { name: 'initSidecars', expression: absent('initContainers') },
    {
      name: 'first',
      expression: "variables.set.?injectPolicy.orValue('') == 'BeforeAppContainers' ? 0 : size(object.spec.containers)",
    },
  ],
  mutations: [
    {
      patch: [
        insertion('containers', 'variables.sidecars', 'variables.first'),
        begun('initContainers', 'size(variables.initSidecars) > 0'),
        insertion('initContainers', 'variables.initSidecars', '0'),
        union('volumes'),
        union('imagePullSecrets'),
      ].join(' + '),
    },
    {
      apply:
        "!variables.selected ? Object{} : Object{metadata: Object.metadata{labels: {'apps.example.com/sidecars': 'injected'}, annotations: " +
        `variables.isMarked ? {} : {'${HASH_ANNOTATION}': ${marked(HASH_ANNOTATION)}, ` +
        `'${HASH_WITHOUT_IMAGE_ANNOTATION}': ${marked(HASH_WITHOUT_IMAGE_ANNOTATION)}}}}`,
    },
  ],
});
// #endregion

/** Those of a Pod that is marked may be there already; a name that is taken in another is the API server's to refuse. */
function absent(list: 'containers' | 'initContainers'): string {
  return `variables.set.?${list}.orValue([]).filter(c, !(variables.isMarked && c.name in variables.present))`;
}
