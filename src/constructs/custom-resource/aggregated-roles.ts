import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { CustomResourceModel } from '../../definition/index.js';
import type { PolicyRule } from '../../kubernetes/index.js';
import { ManifestObject } from '../object/index.js';

export interface AggregatedRolesProps {
  /** The custom resource, as `defineCustomResource` returns it. */
  readonly definition: CustomResourceModel;
  /**
   * Labels for the three roles.
   * @default - none beside the chart's
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

export type AggregatedRole = 'admin' | 'edit' | 'view';

/**
 * ClusterRoles `<plural>.<group>-admin`, `-edit` and `-view` that extend Kubernetes' own roles of that name: whoever is `edit` in a namespace may edit these
 * custom resources there.
 *
 * `admin` may also write the status, to repair by hand what a broken operator left.
 *
 * @example
 * ```ts
 * new AggregatedRoles(chart, 'roles', { definition: Memcached.customResource });
 * ```
 */
export class AggregatedRoles extends Construct {
  readonly roles: Readonly<Record<AggregatedRole, ApiObject>>;

  constructor(scope: Construct, id: string, props: AggregatedRolesProps) {
    super(scope, id);
    const { definition, labels } = props;
    const role = (level: AggregatedRole): ApiObject =>
      new ManifestObject(this, level, {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        scope: 'Cluster',
        metadata: {
          name: `${definition.plural}.${definition.group}-${level}`,
          labels: { ...labels, [`rbac.authorization.k8s.io/aggregate-to-${level}`]: 'true' },
        },
        body: { rules: rulesOf(definition, level) },
      });
    this.roles = { admin: role('admin'), edit: role('edit'), view: role('view') };
  }
}

const READ = ['get', 'list', 'watch'] as const;
const WRITE = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] as const;
const CHANGE = ['get', 'patch', 'update'] as const;

function rulesOf({ group, plural, versionList }: CustomResourceModel, level: AggregatedRole): PolicyRule[] {
  const rule = (subresource: string, verbs: readonly string[]): PolicyRule => ({
    apiGroups: [group],
    resources: [`${plural}${subresource}`],
    verbs,
  });
  const rules = [rule('', level === 'view' ? READ : WRITE)];
  if (versionList.some((version) => version.scale !== undefined)) rules.push(rule('/scale', level === 'view' ? ['get'] : CHANGE));
  if (versionList.some((version) => version.status)) rules.push(rule('/status', level === 'admin' ? CHANGE : ['get']));
  return rules;
}
