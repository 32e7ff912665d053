import { Chart, Testing } from 'cdk8s';
import { findResource, Operator, type OperatorProps } from 'keelson/constructs';
import { fullOperator } from './models';

export const image = 'registry.example.com/memcached-operator:0.1.0';

export interface AnyManifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** The manifests of the operator that has everything, with some props changed. */
export function manifestsOf(props: Partial<OperatorProps>): AnyManifest[] {
  const chart = new Chart(Testing.app(), 'chart', { namespace: 'system' });
  new Operator(chart, 'operator', { operator: fullOperator, image, ...props });
  return chart.toJson() as AnyManifest[];
}

export function deploymentOf(props: Partial<OperatorProps>) {
  return findResource(manifestsOf(props), 'Deployment').spec;
}
