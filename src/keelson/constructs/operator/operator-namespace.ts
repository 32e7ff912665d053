import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { type InstallationPart, installationOfPart, type NamedReference } from '../installation/index.js';
import { ManifestObject } from '../object/index.js';

export interface OperatorNamespaceProps extends InstallationPart {
  /**
   * Pod Security level that the API server enforces; the operator's pod meets the strictest.
   * @default 'restricted'
   */
  readonly podSecurity?: 'restricted' | 'baseline' | 'privileged' | undefined;
  /**
   * More labels and annotations.
   * @default - labels of the installation
   */
  readonly metadata?: Pick<ApiObjectMetadata, 'labels' | 'annotations'> | undefined;
}

/**
 * The namespace that the operator runs in.
 *
 * @example
 * ```ts
 * new OperatorNamespace(chart, 'namespace', { installation, podSecurity: 'restricted' });
 * ```
 */
export class OperatorNamespace extends Construct implements NamedReference {
  readonly name: string;
  /** Level that the API server enforces for its pods. */
  readonly podSecurity: 'restricted' | 'baseline' | 'privileged';

  constructor(scope: Construct, id: string, props: OperatorNamespaceProps) {
    super(scope, id);
    const installation = installationOfPart(this, props);
    this.name = installation.namespace;
    const level = props.podSecurity ?? 'restricted';
    this.podSecurity = level;
    new ManifestObject(this, 'Resource', {
      apiVersion: 'v1',
      kind: 'Namespace',
      scope: 'Cluster',
      metadata: {
        ...props.metadata,
        name: this.name,
        labels: {
          ...installation.labels,
          'pod-security.kubernetes.io/enforce': level,
          'pod-security.kubernetes.io/warn': level,
          ...props.metadata?.labels,
        },
      },
    });
  }
}
