import type { Container, Probe } from 'keelson/kinds';

/**
 * Fills in the defaults that the API server sets in the containers of a Pod.
 *
 * They are filled in here already: otherwise the same container would have one hash in the SidecarSet and another in the Pod, and one more whenever a user
 * writes out what was a default before.
 *
 * @param before the stored container of the same name. Its defaults stay: with a policy that follows the tag, an update from `1.0` to `latest`
 * would change more than the image, and no Pod could be updated in place.
 */
export function withContainerDefaults(container: Container, before?: Container): Container {
  const { ports, env, livenessProbe, readinessProbe, startupProbe } = container;
  return {
    ...container,
    imagePullPolicy: container.imagePullPolicy ?? before?.imagePullPolicy ?? pullPolicyOf(container.image ?? ''),
    terminationMessagePath: container.terminationMessagePath ?? '/dev/termination-log',
    terminationMessagePolicy: container.terminationMessagePolicy ?? 'File',
    ...(ports === undefined ? {} : { ports: ports.map((port) => ({ ...port, protocol: port.protocol ?? 'TCP' })) }),
    ...(env === undefined ? {} : { env: env.map(withEnvDefaults) }),
    ...(livenessProbe === undefined ? {} : { livenessProbe: withProbeDefaults(livenessProbe) }),
    ...(readinessProbe === undefined ? {} : { readinessProbe: withProbeDefaults(readinessProbe) }),
    ...(startupProbe === undefined ? {} : { startupProbe: withProbeDefaults(startupProbe) }),
  };
}

/** `latest`, said or not, may be another image tomorrow. */
function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  if (image.includes('@')) return 'IfNotPresent';
  const tag = /:([^:/]+)$/.exec(image)?.[1] ?? 'latest';
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

type EnvVar = NonNullable<Container['env']>[number];

function withEnvDefaults(variable: EnvVar): EnvVar {
  const { valueFrom } = variable;
  if (valueFrom?.fieldRef === undefined) return variable;
  return {
    ...variable,
    valueFrom: { ...valueFrom, fieldRef: { ...valueFrom.fieldRef, apiVersion: valueFrom.fieldRef.apiVersion ?? 'v1' } },
  };
}

function withProbeDefaults({ httpGet, ...probe }: Probe): Probe {
  return {
    ...probe,
    ...(httpGet === undefined ? {} : { httpGet: { ...httpGet, path: httpGet.path ?? '/', scheme: httpGet.scheme ?? 'HTTP' } }),
    timeoutSeconds: probe.timeoutSeconds ?? 1,
    periodSeconds: probe.periodSeconds ?? 10,
    successThreshold: probe.successThreshold ?? 1,
    failureThreshold: probe.failureThreshold ?? 3,
  };
}
