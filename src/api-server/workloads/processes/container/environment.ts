import type { ConfigMap, Container, EnvVarSource, Pod, Secret } from '@keelson/kubernetes/kinds';
import { expanded } from './expansion.js';
import { podField, resourceField } from './pod-fields.js';

/** The objects that an environment is read from. */
export interface EnvironmentView {
  configMap(name: string): ConfigMap | undefined;
  secret(name: string): Secret | undefined;
}

export interface EnvironmentOf {
  readonly pod: Pod;
  readonly container: Container;
  /** The address that the Pod has now; its status may not say so yet. */
  readonly address: string;
  readonly nodeAddress: string;
  /** Variables that the kubelet adds (`KUBERNETES_SERVICE_HOST`): the container's own win. */
  readonly given: Readonly<Record<string, string>>;
  readonly view: EnvironmentView;
}

/**
 * The environment that a container declares: `envFrom`, then `env` in order, each with the variables before it.
 *
 * A missing value is left out here. A container that needs one is not started at all ({@link lackOf}).
 * Source: `makeEnvironmentVariables` in kubernetes `pkg/kubelet/kubelet_pods.go`.
 */
export function environmentOf(of: EnvironmentOf): Readonly<Record<string, string>> {
  const { container, given } = of;
  const variables: Record<string, string> = {};
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const values =
      configMapRef === undefined ? secretValues(of, secretRef?.name) : (of.view.configMap(configMapRef.name ?? '')?.data ?? {});
    for (const [key, value] of Object.entries(values)) variables[`${prefix}${key}`] = value;
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const found = valueFrom === undefined ? expanded(value ?? '', { ...given, ...variables }) : referredValue(of, valueFrom);
    if (found !== undefined) variables[name] = found;
  }
  return { ...given, ...variables };
}

function referredValue(of: EnvironmentOf, { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef }: EnvVarSource): string | undefined {
  if (fieldRef !== undefined) return podField(of, fieldRef.fieldPath);
  if (resourceFieldRef !== undefined) return resourceField(of.pod, resourceFieldRef, of.container.name);
  if (configMapKeyRef !== undefined) return of.view.configMap(configMapKeyRef.name ?? '')?.data?.[configMapKeyRef.key];
  return secretKeyRef === undefined ? undefined : secretValues(of, secretKeyRef.name)[secretKeyRef.key];
}

function secretValues({ view }: EnvironmentOf, name = ''): Readonly<Record<string, string>> {
  const { data = {} } = view.secret(name) ?? {};
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]));
}
