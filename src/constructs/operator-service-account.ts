import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { serviceAccountName } from './checked-name.js';
import { ManifestObject } from './manifest-object.js';
import type { NamedReference, OperatorSettings } from './operator-settings.js';
import { partMetadata } from './part-metadata.js';
import { resolveOperator } from './resolved-operator.js';

export interface OperatorServiceAccountProps extends OperatorSettings {
  /**
   * A ServiceAccount of the operator's namespace that somebody else creates; nothing is emitted then.
   * @default - a ServiceAccount named like the installation is created
   */
  readonly existing?: NamedReference | undefined;
  /**
   * More metadata, for example an annotation for a cloud's workload identity.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/** The identity that the process has at the API server. Its token is mounted: an operator without one can do nothing. */
export class OperatorServiceAccount extends Construct implements NamedReference {
  readonly name: string;
  readonly namespace: string;

  constructor(scope: Construct, id: string, props: OperatorServiceAccountProps) {
    super(scope, id);
    const resolved = resolveOperator(this, props);
    this.name = props.existing === undefined ? resolved.name : serviceAccountName(this, props.existing);
    this.namespace = resolved.namespace;
    if (props.existing !== undefined) return;
    new ManifestObject(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      scope: 'Namespaced',
      metadata: partMetadata(this, resolved, { name: this.name, given: props.metadata }),
      body: { automountServiceAccountToken: true },
    });
  }

  /** Makes it a subject for roles of any cdk8s-plus minor: `role.bind(operator.serviceAccount)`. */
  toSubjectConfiguration(): { readonly kind: string; readonly name: string; readonly namespace: string } {
    return { kind: 'ServiceAccount', name: this.name, namespace: this.namespace };
  }
}
