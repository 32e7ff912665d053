import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { serviceAccountObject } from '../../definition/index.js';
import { type InstallationPart, installationOfPart, installedManifest, type NamedReference, partMetadata } from '../installation/index.js';
import { serviceAccountName } from '../object/index.js';

export interface OperatorServiceAccountProps extends InstallationPart {
  /**
   * A ServiceAccount of the operator's namespace that another tool creates; nothing is emitted then.
   * @default - a ServiceAccount named like the installation is created
   */
  readonly existing?: NamedReference | undefined;
  /**
   * More metadata, for example an annotation for a cloud's workload identity.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/**
 * The identity that the process has at the API server. Its token is mounted: an operator without one can do nothing.
 *
 * @example
 * ```ts
 * new OperatorServiceAccount(chart, 'account', {
 *   installation,
 *   metadata: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::123456789012:role/memcached' } },
 * });
 * ```
 */
export class OperatorServiceAccount extends Construct implements NamedReference {
  readonly name: string;
  readonly namespace: string;

  constructor(scope: Construct, id: string, props: OperatorServiceAccountProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    this.name = props.existing === undefined ? installation.name : serviceAccountName(this, props.existing);
    this.namespace = installation.namespace;
    if (props.existing !== undefined) return;
    const { name, namespace } = this;
    const metadata = partMetadata(this, installation, { name, given: props.metadata });
    installedManifest(this, 'Resource', serviceAccountObject({ name, namespace }), metadata);
  }

  /** Makes it a subject for roles of any cdk8s-plus minor: `role.bind(operator.serviceAccount)`. */
  toSubjectConfiguration(): { readonly kind: string; readonly name: string; readonly namespace: string } {
    return { kind: 'ServiceAccount', name: this.name, namespace: this.namespace };
  }
}
