import type { PolicyRule } from '@keelson/kubernetes/apimachinery';
import { SelfSubjectAccessReview, SelfSubjectRulesReview, type SubjectRulesReviewStatus } from '@keelson/kubernetes/kinds';
import {
  isSelective,
  type Logger,
  type OperatorModel,
  type PermissionsOptions,
  permissionsOf,
  type RuntimeSettings,
} from 'keelson/internal/definition';
import type { ApiClient } from '../client/index.js';

export interface RightsOptions {
  readonly operator: OperatorModel;
  readonly settings: RuntimeSettings;
  /** The namespace of the operator's own objects. */
  readonly namespace: string;
  readonly client: Pick<ApiClient, 'create'>;
  readonly log: Logger;
  /** Ends the asking. */
  readonly signal: AbortSignal;
}

/** One verb on one resource or path, in one place. */
interface Right {
  /** `undefined`: in all namespaces, and for what has none. */
  readonly namespace: string | undefined;
  readonly verb: string;
  readonly because: string;
  readonly target: { readonly group: string; readonly resource: string; readonly name: string | undefined } | { readonly path: string };
}

const DEADLINE_MS = 10_000;
/**
 * The server lists rules for one namespace. No Role is bound in this one, so that its rules hold in all namespaces: in the operator's own namespace its
 * Role would pass for a ClusterRole.
 */
const NO_NAMESPACE = 'keelson-no-such-namespace';

/**
 * Asks the API server for this process's own rights, and logs in one entry those that its manifests grant and that are missing (H51).
 *
 * Every authenticated user may ask. Rights that the rules do not show are asked for one by one, since authorizers other than RBAC list no rules. The review
 * changes nothing: requests that need a missing right fail until it is granted. A review that fails is logged; it does not stop the operator.
 */
export async function reviewRights(options: RightsOptions): Promise<void> {
  const { log, signal } = options;
  try {
    const missing: Right[] = [];
    for (const [namespace, rights] of byPlace(rightsNeeded(options))) missing.push(...(await lacking(rights, namespace, options)));
    if (missing.length > 0)
      log.warn('rights are missing; what needs them fails until they are granted: apply the roles of this release', {
        missing: textsOf(missing),
      });
  } catch (error) {
    if (!signal.aborted)
      log.info('the API server does not say which rights this process has; a missing one shows when it is needed', { error });
  }
}

function rightsNeeded({ operator, settings, namespace }: RightsOptions): readonly Right[] {
  const { grants } = permissionsOf(operator, permissionsOptions(settings));
  const places = { cluster: [undefined], watched: settings.watchNamespaces ?? [], own: [namespace] };
  return grants.flatMap(({ rule, placement, because, namespaces = [] }) =>
    (placement === 'named' ? namespaces : places[placement]).flatMap((place) =>
      targetsOf(rule).map(({ verb, target }): Right => ({ namespace: place, verb, because, target })),
    ),
  );
}

/** The options that the roles of this installation were made with, read from the process's settings. */
function permissionsOptions(settings: RuntimeSettings): PermissionsOptions {
  const { watchNamespaces, leaseName, certificates, metrics, storedVersions } = settings;
  return {
    isSelective: isSelective(settings),
    scope: watchNamespaces === undefined ? 'Cluster' : { namespaces: watchNamespaces },
    leaderElection: leaseName === undefined ? false : { leaseName },
    secureMetrics: metrics?.secure === true,
    storedVersions,
    ...(certificates?.mode === 'selfManaged'
      ? {
          certificates: {
            mode: 'selfManaged',
            secretName: certificates.secretName,
            mutatingWebhookConfigurations: present(certificates.mutatingConfiguration),
            validatingWebhookConfigurations: present(certificates.validatingConfiguration),
            customResourceDefinitions: certificates.conversionCrds,
          },
        }
      : {}),
  };
}

function present(name: string | undefined): readonly string[] {
  return name === undefined ? [] : [name];
}

function targetsOf({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): Pick<Right, 'verb' | 'target'>[] {
  const names = resourceNames.length === 0 ? [undefined] : resourceNames;
  return verbs.flatMap((verb) => [
    ...nonResourceURLs.map((path) => ({ verb, target: { path } })),
    ...apiGroups.flatMap((group) => resources.flatMap((resource) => names.map((name) => ({ verb, target: { group, resource, name } })))),
  ]);
}

function byPlace(rights: readonly Right[]): ReadonlyMap<string | undefined, readonly Right[]> {
  const places = new Map<string | undefined, Map<string, Right>>();
  for (const right of rights) {
    const place = places.get(right.namespace) ?? new Map<string, Right>();
    const key = JSON.stringify([right.verb, right.target]);
    // Two declarations may need the same: the first one gives the reason.
    if (!place.has(key)) place.set(key, right);
    places.set(right.namespace, place);
  }
  return new Map([...places].map(([namespace, place]) => [namespace, [...place.values()]]));
}

async function lacking(rights: readonly Right[], namespace: string | undefined, { client, signal }: RightsOptions): Promise<Right[]> {
  const call = { signal, deadlineMs: DEADLINE_MS };
  const spec = { namespace: namespace ?? NO_NAMESPACE };
  const { status } = await client.create(SelfSubjectRulesReview, { metadata: {}, spec }, call);
  const lacking: Right[] = [];
  for (const right of rights) {
    if (isShown(right, status)) continue;
    const answer = await client.create(SelfSubjectAccessReview, { metadata: {}, spec: attributesOf(right) }, call);
    if (answer.status?.allowed !== true) lacking.push(right);
  }
  return lacking;
}

function isShown({ verb, target }: Right, status: SubjectRulesReviewStatus | undefined): boolean {
  const has = (listed: readonly string[] | undefined, wanted: string): boolean =>
    listed?.some((item) => item === '*' || item === wanted) === true;
  if ('path' in target)
    return status?.nonResourceRules.some(({ verbs, nonResourceURLs }) => has(verbs, verb) && has(nonResourceURLs, target.path)) === true;
  const { group, resource, name } = target;
  return (
    status?.resourceRules.some(
      ({ verbs, apiGroups, resources, resourceNames = [] }) =>
        has(verbs, verb) &&
        has(apiGroups, group) &&
        has(resources, resource) &&
        (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name))),
    ) === true
  );
}

function attributesOf({ verb, target, namespace }: Right): SelfSubjectAccessReview['spec'] {
  if ('path' in target) return { nonResourceAttributes: { verb, path: target.path } };
  const [resource, subresource] = target.resource.split('/', 2);
  return { resourceAttributes: { verb, group: target.group, resource, subresource, name: target.name, namespace } };
}

/** Verbs of the same resource in one text, in the words of a rule. */
function textsOf(missing: readonly Right[]): readonly string[] {
  const verbsOf = new Map<string, string[]>();
  for (const { verb, target, namespace, because } of missing) {
    const where = namespace === undefined ? 'in a ClusterRole' : `in a Role of namespace ${namespace}`;
    const what =
      'path' in target
        ? `nonResourceURLs [${target.path}]`
        : `resources [${target.resource}], apiGroups ["${target.group}"]${target.name === undefined ? '' : `, resourceNames [${target.name}]`}`;
    const text = `${what}, ${where}: ${because}`;
    verbsOf.set(text, [...(verbsOf.get(text) ?? []), verb]);
  }
  return [...verbsOf].map(([text, verbs]) => `verbs [${verbs.join(', ')}], ${text}`);
}
