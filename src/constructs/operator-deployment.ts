import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { RUNTIME_CONTRACT } from '../definition/index.js';
import { ConstructError } from './construct-error.js';
import { ManifestObject } from './manifest-object.js';
import { podTemplate } from './operator-pod.js';
import type { OperatorPodProps } from './operator-pod-props.js';
import type { NamedReference } from './operator-settings.js';
import { partMetadata } from './part-metadata.js';
import { restrictedProblems } from './pod-security.js';
import { resolveOperator } from './resolved-operator.js';

export interface OperatorDeploymentProps extends OperatorPodProps {
  /**
   * More labels and annotations of the Deployment.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/**
 * The Deployment that runs the operator: unprivileged (it meets Pod Security `restricted`), probed, bounded in memory, with time to drain.
 */
export class OperatorDeployment extends Construct implements NamedReference {
  readonly name: string;
  readonly replicas: number;
  /** Why a namespace that enforces Pod Security `restricted` would let no pod in; empty unless props loosen or add something. */
  readonly restrictedProblems: readonly string[];

  constructor(scope: Construct, id: string, props: OperatorDeploymentProps) {
    super(scope, id);
    const resolved = resolveOperator(this, props);
    this.replicas = props.replicas ?? 1;
    this.#check(props, resolved.leaseName);
    const template = podTemplate(this, resolved, props);
    this.restrictedProblems = restrictedProblems(template.spec);
    const object = new ManifestObject(this, 'Resource', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      scope: 'Namespaced',
      metadata: partMetadata(this, resolved, { name: resolved.name, given: props.metadata }),
      body: {
        spec: {
          replicas: this.replicas,
          selector: { matchLabels: resolved.selector },
          // Without an election nothing else keeps the old and the new process from working at the same time.
          strategy: resolved.leaseName === undefined ? { type: 'Recreate' } : undefined,
          template,
        },
      },
    });
    this.name = object.name;
  }

  #check(props: OperatorDeploymentProps, leaseName: string | undefined): void {
    if (!Number.isInteger(this.replicas) || this.replicas < 0) {
      throw new ConstructError(this, `replicas is ${this.replicas}; write a whole number, 0 or more`);
    }
    if (this.replicas > 1 && leaseName === undefined) {
      throw new ConstructError(
        this,
        `${this.replicas} replicas without leaderElection would all reconcile the same objects; leave leaderElection on, or run 1`,
      );
    }
    const grace = props.terminationGracePeriodSeconds;
    if (grace !== undefined && (!Number.isInteger(grace) || grace <= RUNTIME_CONTRACT.shutdown.marginSeconds)) {
      throw new ConstructError(
        this,
        `terminationGracePeriodSeconds is ${grace}; write more than ${RUNTIME_CONTRACT.shutdown.marginSeconds}: the process needs time to drain and to release its Lease`,
      );
    }
  }
}
