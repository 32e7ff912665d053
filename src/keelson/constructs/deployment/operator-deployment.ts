import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { RUNTIME_CONTRACT } from '../../definition/index.js';
import { type InstallationPart, installationOfPart, type NamedReference, partMetadata } from '../installation/index.js';
import { addWarning, ConstructError, ManifestObject, refuseLazy, SHOWN_WARNINGS_CONTEXT } from '../object/index.js';
import { podTemplate } from './operator-pod.js';
import type { OperatorPodProps } from './operator-pod-props.js';
import { hasMovingTag } from './pod-checks.js';
import { restrictedProblems } from './pod-security.js';

export interface OperatorDeploymentProps extends InstallationPart, OperatorPodProps {
  /**
   * More labels and annotations of the Deployment.
   * @default - name, namespace and labels of the installation
   */
  readonly metadata?: ApiObjectMetadata | undefined;
}

/**
 * The Deployment that runs the operator: unprivileged (it meets Pod Security `restricted`), probed, bounded in memory, with time to drain.
 *
 * @example
 * ```ts
 * new OperatorDeployment(chart, 'deployment', { installation, image: 'registry.example.com/memcached-operator:1.0.0', replicas: 2 });
 * ```
 */
export class OperatorDeployment extends Construct implements NamedReference {
  readonly name: string;
  readonly replicas: number;
  /** Why a namespace that enforces Pod Security `restricted` would let no pod in; empty unless props loosen or add something. */
  readonly restrictedProblems: readonly string[];

  constructor(scope: Construct, id: string, props: OperatorDeploymentProps) {
    super(scope, id);
    const { image, replicas, terminationGracePeriodSeconds } = props;
    refuseLazy(this, { image, replicas, terminationGracePeriodSeconds });
    const installation = installationOfPart(this, props);
    this.replicas = props.replicas ?? 1;
    this.#check(props, installation.leaseName);
    const template = podTemplate(this, installation, props);
    // The synthesis of a package draws images; `defineOperatorPackage` judges its own.
    if (hasMovingTag(image) && this.node.tryGetContext(SHOWN_WARNINGS_CONTEXT) === undefined) {
      addWarning(
        this,
        `the image '${image}' can be another one tomorrow, and no rollout shows it; name a version or a digest: registry/name:1.0.0`,
      );
    }
    this.restrictedProblems = restrictedProblems(template.spec);
    const object = new ManifestObject(this, 'Resource', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      scope: 'Namespaced',
      metadata: partMetadata(this, installation, { name: installation.name, given: props.metadata }),
      body: {
        spec: {
          replicas: this.replicas,
          selector: { matchLabels: installation.selector },
          // Without an election nothing else keeps the old and the new process from working at the same time.
          strategy: installation.leaseName === undefined ? { type: 'Recreate' } : undefined,
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
