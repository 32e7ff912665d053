import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { InstalledPolicy } from '../../definition/index.js';
import { installedManifest } from '../installation/index.js';

/** Writes a policy and its binding, with these labels. Returns the policy under its name. */
export function installPolicy(
  scope: Construct,
  { policy, binding }: InstalledPolicy,
  labels: Readonly<Record<string, string>>,
): readonly [name: string, policy: ApiObject] {
  const { name } = policy.metadata;
  const written = installedManifest(scope, name, policy, { name, labels });
  installedManifest(scope, `${name}-binding`, binding, { name, labels });
  return [name, written];
}
