import { isRecord, type KindInfo, type PolicyRule } from '@keelson/kubernetes/apimachinery';
import { clusterNamesOf } from '../cluster-names.js';
import { followsNamespaces } from '../controller/index.js';
import { DefinitionError } from '../errors.js';
import type {
  AdmissionWebhookModel,
  ControllerModel,
  OperatorModel,
  OwnModel,
  ReleasedModel,
  SelectModel,
  Verb,
  WatchModel,
} from '../model.js';
import { listOf, shown, text } from '../option-shape.js';
import type { CertificatePermissions, Grant, Permissions, PermissionsOptions, Placement } from './grant.js';
import { mergeRules, mergeRulesBeyond } from './merge-rules.js';

/**
 * Computes the rights of an operator from its declarations.
 *
 * Guarantees: no `*`; no `deletecollection`; rights on one named object name it, except `create`, which RBAC cannot restrict by name (the API server checks
 * it before the name is known). A request that a handle can make is allowed; a verb that no declaration asks for is not.
 *
 * @example
 * ```ts
 * const { watched } = permissionsOf(operator, { scope: { namespaces: ['shop'] } });
 * for (const { apiGroups, resources, verbs } of watched) console.log(apiGroups, resources, verbs);
 * ```
 *
 * @throws DefinitionError for what is not an operator, or no scope.
 */
export function permissionsOf(operator: OperatorModel, options: PermissionsOptions = {}): Permissions {
  mustBeAskable(operator, options);
  const grants = grantsOf(operator, options);
  const placed = (placement: Placement): PolicyRule[] =>
    mergeRules(grants.filter((grant) => grant.placement === placement).map(({ rule }) => rule));
  const [cluster, watched, own] = [placed('cluster'), placed('watched'), placed('own')];
  return { cluster, watched, own, named: namedRules(grants, { cluster, watched, options }), grants };
}

interface Everywhere {
  readonly cluster: readonly PolicyRule[];
  readonly watched: readonly PolicyRule[];
  readonly options: PermissionsOptions;
}

function namedRules(grants: readonly Grant[], { cluster, watched, options }: Everywhere): Record<string, readonly PolicyRule[]> {
  const { scope } = options;
  const namespaces = [...new Set(grants.flatMap((grant) => grant.namespaces ?? []))].sort();
  const rules = namespaces.map((namespace): [string, readonly PolicyRule[]] => {
    const isWatched = typeof scope === 'object' && scope.namespaces.includes(namespace);
    const asked = grants.filter((grant) => grant.namespaces?.includes(namespace) === true).map(({ rule }) => rule);
    return [namespace, mergeRulesBeyond(asked, isWatched ? [...cluster, ...watched] : cluster)];
  });
  return Object.fromEntries(rules.filter(([, beyond]) => beyond.length > 0));
}

/** A scope that is misread would grant too much, or nothing. */
function mustBeAskable(operator: unknown, { scope }: PermissionsOptions): void {
  const refuse = (path: string, message: string): never => {
    throw new DefinitionError('permissions', [{ path, message }]);
  };
  if (!isRecord(operator) || !Array.isArray(operator['controllers']))
    refuse('operator', 'is not an operator; make it with defineOperator({ ... })');
  if (scope === undefined || scope === 'Cluster') return;
  if (!isRecord(scope) || scope.namespaces === undefined)
    refuse('scope', `${shown(scope)} is not a scope; write 'Cluster' or { namespaces: ['a'] }`);
  const [problem] = listOf(text)(scope.namespaces, 'scope.namespaces');
  if (problem !== undefined) refuse(problem.path, problem.message);
}

function grantsOf(operator: OperatorModel, options: PermissionsOptions): Grant[] {
  const clusterWide = options.scope === undefined || options.scope === 'Cluster';
  const place: PlaceOf = (namespaced) => (namespaced && !clusterWide ? 'watched' : 'cluster');
  const served = clusterWide ? undefined : (options.scope as { readonly namespaces: readonly string[] }).namespaces;
  return [
    ...operator.controllers.flatMap((controller) => controllerGrants(takingOver(operator, controller, options), place, served)),
    ...(operator.webhooks ?? []).flatMap((webhook) => webhookGrants(webhook, place, served)),
    ...leaseGrants(operator, options),
    ...(options.certificates === undefined ? [] : certificateGrants(options.certificates)),
    ...(options.secureMetrics === true ? metricsGrants() : []),
    ...storedVersionGrants(operator, options.storedVersions ?? []),
  ];
}

/** A controller with the questions answered whether its objects carry former names, and whether they may come from another field manager. */
interface TakingController extends ControllerModel {
  readonly isRenamed: boolean;
  /** Source of the fields that it takes over, in words. Absent: it takes none over. */
  readonly takesOverFrom?: string | undefined;
}

function takingOver(operator: OperatorModel, controller: ControllerModel, { isSelective = false }: PermissionsOptions): TakingController {
  const isRenamed = clusterNamesOf(operator, controller).formerManagers.length > 0;
  const known = { ...controller, isRenamed };
  if (isRenamed || controller.formerFieldManagers !== undefined) return { ...known, takesOverFrom: 'a former field manager' };
  return isSelective || controller.select !== undefined ? { ...known, takesOverFrom: 'another instance' } : known;
}

type PlaceOf = (namespaced: boolean) => Placement;

/** Namespaces that the operator serves; `undefined`: all. */
type Served = readonly string[] | undefined;

/** Rights in the named namespaces alone. */
function inNamed(grants: readonly Grant[], namespaces: readonly string[] | undefined): Grant[] {
  if (namespaces === undefined) return [...grants];
  const sorted = [...new Set(namespaces)].sort();
  return sorted.length === 0 ? [] : grants.map((grant) => ({ ...grant, placement: 'named', namespaces: sorted }));
}

/** A watch goes on in those of its namespaces that the operator serves, as the cache has it. */
function watchedNamespaces(select: SelectModel | undefined, served: Served): readonly string[] | undefined {
  return select?.namespaces?.filter((namespace) => served === undefined || served.includes(namespace));
}

function controllerGrants(controller: TakingController, place: PlaceOf, served: Served): Grant[] {
  const { takesOverFrom } = controller;
  const who = `controller ${controller.name}`;
  const on = (kind: KindInfo, verbs: readonly string[], because: string, subresource = ''): Grant => ({
    rule: { apiGroups: [kind.group], resources: [`${kind.plural}${subresource}`], verbs },
    placement: place(kind.scope === 'Namespaced'),
    because: `${who} ${because}`,
  });
  return [
    ...primaryGrants(controller, on),
    ...Object.values(controller.owns).flatMap((own) => [
      ...ownGrants(own, on),
      ...keepGrants(controller, own, on),
      ...takeoverGrants(controller, own, on),
    ]),
    ...Object.values(controller.released ?? {}).map((released) => releaseGrant(released, on)),
    ...Object.values(controller.watches).flatMap((watch) => {
      const taken = takesOverFrom !== undefined && watch.verbs.includes('apply') ? [takeoverGrant(watch, takesOverFrom, on)] : [];
      return inNamed([...watchGrants(watch, on), ...taken], watchedNamespaces(watch.select, served));
    }),
    ...namespaceGrants(controller, on),
    ...Object.values(controller.reads).flatMap(({ kind, verbs, namespaces }) =>
      inNamed([on(kind, verbs, `reads ${kind.plural}`)], namespaces),
    ),
    ...controller.permissions.flatMap(({ clusterScoped, namespaces, ...rule }) => {
      const placement = place(clusterScoped !== true && rule.nonResourceURLs === undefined);
      return inNamed([{ rule, placement, because: `${who} declares it under permissions` }], namespaces);
    }),
    {
      // `patch` because a repeated event is counted in its series instead of being created again. An event about a cluster-scoped object lives in `default`.
      rule: { apiGroups: ['events.k8s.io'], resources: ['events'], verbs: ['create', 'patch'] },
      placement: place(controller.for.scope === 'Namespaced'),
      because: `${who} records events`,
    },
  ];
}

/** The caches list and watch; a reader of a cache asks the API server for no single object. */
const CACHED = ['list', 'watch'] as const;

/** A webhook reads from the cache, and writes nothing. */
function webhookGrants({ name, watches = {} }: AdmissionWebhookModel, place: PlaceOf, served: Served): Grant[] {
  return Object.values(watches).flatMap(({ kind, select }) => {
    const rule = { apiGroups: [kind.group], resources: [kind.plural], ...onlyNamed(select), verbs: CACHED };
    const grant = { rule, placement: place(kind.scope === 'Namespaced'), because: `webhook ${name} watches ${kind.plural}` };
    return inNamed([grant], watchedNamespaces(select, served));
  });
}

const NAMESPACE: KindInfo = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  scope: 'Cluster',
  subresources: ['status'],
};

type On = (kind: KindInfo, verbs: readonly string[], because: string, subresource?: string) => Grant;

function primaryGrants(controller: TakingController, on: On): Grant[] {
  const primary = controller.for;
  const grants = [on(primary, CACHED, `is for ${primary.plural}`)];
  if (controller.writesStatus) grants.push(on(primary, ['patch'], `writes the status of ${primary.plural}`, '/status'));
  // `get` because the list of finalizers is read anew after a conflict with another writer.
  if (controller.finalizer !== undefined) grants.push(on(primary, ['get', 'patch'], `finalizes ${primary.plural}`));
  if (controller.isRenamed || controller.formerFinalizers !== undefined)
    grants.push(on(primary, ['get', 'patch'], `takes over what stands on ${primary.plural} under former names`));
  if (controller.takesOverFrom !== undefined && controller.writesStatus)
    grants.push(on(primary, ['get', 'patch'], `takes over the status of ${primary.plural} from ${controller.takesOverFrom}`));
  const owns = Object.values(controller.owns);
  if (owns.some(({ policy }) => policy.onDelete === 'delete')) {
    // The OwnerReferencesPermissionEnforcement plugin asks for this when a child's owner reference has blockOwnerDeletion.
    grants.push(on(primary, ['update'], `owns children of ${primary.plural}`, '/finalizers'));
  }
  if (owns.some(({ policy }) => policy.existence === 'once'))
    grants.push(on(primary, ['patch'], `remembers on ${primary.plural} which children were made once`));
  return grants;
}

function ownGrants({ kind, policy }: OwnModel, on: On): Grant[] {
  const { desired, existence, verbs } = policy;
  const because = `owns ${kind.plural}`;
  const verbsToo = verbGrants(verbs, kind, on);
  if (!desired) return [on(kind, CACHED, because), ...verbsToo];
  if (existence === 'always') return [on(kind, [...CACHED, 'create', 'patch', 'delete'], because), ...verbsToo];
  // Made by POST and never changed.
  return [on(kind, CACHED, because), on(kind, ['create', 'delete'], `makes ${kind.plural} once`), ...verbsToo];
}

/** An owner reference is taken off by a patch, whatever the handle may do beside it. */
function keepGrants({ annotations }: ControllerModel, { kind }: OwnModel, on: On): Grant[] {
  return annotations?.deletion === undefined ? [] : [on(kind, ['patch'], `keeps ${kind.plural} of deleted objects`)];
}

/** Managed fields are read anew: the cache has none. */
function takeoverGrants({ takesOverFrom }: TakingController, { kind, policy }: OwnModel, on: On): Grant[] {
  const isApplied = (policy.desired && policy.existence === 'always') || policy.verbs.includes('apply');
  return takesOverFrom === undefined || !isApplied ? [] : [takeoverGrant({ kind }, takesOverFrom, on)];
}

function takeoverGrant({ kind }: { readonly kind: KindInfo }, from: string, on: On): Grant {
  return on(kind, ['get'], `takes over ${kind.plural} from ${from}`);
}

/** `delete` lets those go that were there before their owner. */
function releaseGrant({ kind, children }: ReleasedModel, on: On): Grant {
  const verbs = children === 'delete' ? ['delete', 'patch'] : ['patch'];
  return on(kind, [...CACHED, ...verbs], `releases ${kind.plural}`);
}

function watchGrants({ kind, verbs, select }: WatchModel, on: On): Grant[] {
  const named = onlyNamed(select);
  const watching = on(kind, CACHED, `watches ${kind.plural}`);
  return [
    { ...watching, rule: { ...watching.rule, ...named } },
    // A right to `create` cannot be held to a name: a POST has the name in its body, and the API server looks at rights before it reads the body.
    ...(verbs.includes('create') ? verbGrants(['create'], kind, on) : []),
    ...verbGrants(
      verbs.filter((verb) => verb !== 'create'),
      kind,
      on,
    ).map((grant) => ({ ...grant, rule: { ...grant.rule, ...named } })),
  ];
}

/** The API server takes a list or watch with the field selector `metadata.name=x` for one of the object `x`. */
function onlyNamed(select: SelectModel | undefined): Pick<PolicyRule, 'resourceNames'> {
  const name = select?.fields?.['metadata.name'];
  return name === undefined ? {} : { resourceNames: [name] };
}

/** A namespace's labels are read with the metadata alone, which needs the same right as the whole object. */
function namespaceGrants({ for: primary, watches }: ControllerModel, on: On): Grant[] {
  const selected = Object.values(watches).flatMap(({ kind, enqueue }) => (followsNamespaces(enqueue, kind) ? [kind.plural] : []));
  if (selected.length === 0) return [];
  return [on(NAMESPACE, CACHED, `follows the labels of namespaces: ${primary.plural} select ${selected.join(', ')} by them`)];
}

function verbGrants(verbs: readonly Verb[], kind: KindInfo, on: On): Grant[] {
  const written = [...new Set(verbs.flatMap((verb) => RBAC_VERBS[verb]))];
  const declared = verbs.filter((verb) => verb !== 'evict').join(', ');
  return [
    ...(written.length > 0 ? [on(kind, written, `declares ${declared} on ${kind.plural}`)] : []),
    ...(verbs.includes('evict') ? [on(kind, ['create'], `declares evict on ${kind.plural}`, '/eviction')] : []),
  ];
}

/** The right that the API server asks for when a handle's method runs. Server-side apply of an object that is not there yet is checked as `create` too. */
const RBAC_VERBS: Readonly<Record<Verb, readonly string[]>> = Object.freeze({
  create: ['create'],
  update: ['update'],
  patch: ['patch'],
  apply: ['create', 'patch'],
  delete: ['delete'],
  evict: [],
});

function leaseGrants(operator: OperatorModel, { leaderElection }: PermissionsOptions): Grant[] {
  if (leaderElection === false) return [];
  const leaseName = leaderElection?.leaseName ?? operator.name;
  return ownedByName({ group: 'coordination.k8s.io', resource: 'leases', name: leaseName }, `the leader holds the lease ${leaseName}`);
}

function ownedByName({ group, resource, name }: { group: string; resource: string; name: string }, because: string): Grant[] {
  return [
    { rule: { apiGroups: [group], resources: [resource], verbs: ['create'] }, placement: 'own', because },
    {
      rule: { apiGroups: [group], resources: [resource], resourceNames: [name], verbs: ['get', 'update'] },
      placement: 'own',
      because,
    },
  ];
}

function certificateGrants(certificates: CertificatePermissions): Grant[] {
  if (certificates.mode !== 'selfManaged') return [];
  const {
    secretName,
    mutatingWebhookConfigurations = [],
    validatingWebhookConfigurations = [],
    customResourceDefinitions = [],
  } = certificates;
  const injected = [
    { group: 'admissionregistration.k8s.io', resource: 'mutatingwebhookconfigurations', names: mutatingWebhookConfigurations },
    { group: 'admissionregistration.k8s.io', resource: 'validatingwebhookconfigurations', names: validatingWebhookConfigurations },
    { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions', names: customResourceDefinitions },
  ];
  return [
    ...ownedByName({ group: '', resource: 'secrets', name: secretName }, `the runtime keeps its certificate in the secret ${secretName}`),
    ...injected
      // An empty list of names would mean every object of the kind.
      .filter(({ names }) => names.length > 0)
      .map(
        ({ group, resource, names }): Grant => ({
          rule: { apiGroups: [group], resources: [resource], resourceNames: names, verbs: ['get', 'patch'] },
          placement: 'cluster',
          because: `the runtime injects its CA into ${resource}`,
        }),
      ),
  ];
}

function metricsGrants(): Grant[] {
  const because = 'the metrics endpoint checks its callers';
  return [
    { rule: { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] }, placement: 'cluster', because },
    {
      rule: { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
      placement: 'cluster',
      because,
    },
  ];
}

/** A storage version is one for the whole cluster: its objects are brought to it in every namespace, wherever the operator looks for its own. */
function storedVersionGrants({ customResources }: OperatorModel, names: readonly string[]): Grant[] {
  const migrated = customResources.filter(({ plural, group }) => names.includes(`${plural}.${group}`));
  return migrated.flatMap(({ plural, group, storageVersion }) => {
    const because = `the leader stores ${plural} as ${storageVersion}`;
    const grant = (rule: PolicyRule): Grant => ({ rule, placement: 'cluster', because });
    const crd = { apiGroups: ['apiextensions.k8s.io'], resourceNames: [`${plural}.${group}`] };
    return [
      // `get` because an object that another client changes at the same time is read anew.
      grant({ apiGroups: [group], resources: [plural], verbs: ['get', 'list', 'patch'] }),
      grant({ ...crd, resources: ['customresourcedefinitions'], verbs: ['get', 'patch'] }),
      grant({ ...crd, resources: ['customresourcedefinitions/status'], verbs: ['patch'] }),
    ];
  });
}
