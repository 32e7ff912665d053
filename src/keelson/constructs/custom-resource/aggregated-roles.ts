import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { CustomResourceModel } from '../../definition/index.js';
import { ManifestObject } from '../object/index.js';
import { AGGREGATION_LABEL, type AggregatedRole, rulesForUsers } from './user-rules.js';

export interface AggregatedRolesProps {
  /** The custom resource, as `defineCustomResource` returns it. */
  readonly definition: CustomResourceModel;
  /**
   * Labels for the three roles.
   * @default - none beside the chart's
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/**
 * ClusterRoles `<plural>.<group>-admin`, `-edit` and `-view` that extend Kubernetes' own roles of that name: users that are `edit` in a namespace may edit these
 * custom resources there.
 *
 * `admin` may also write the status, to repair by hand what a broken operator left. For roles that you bind yourself, or that hold in some namespaces alone, take
 * `UserRoles`.
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
          labels: { ...labels, [AGGREGATION_LABEL[level]]: 'true' },
        },
        body: { rules: rulesForUsers(definition, level) },
      });
    this.roles = { admin: role('admin'), edit: role('edit'), view: role('view') };
  }
}
