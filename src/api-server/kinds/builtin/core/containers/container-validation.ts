import type { Container, ContainerPort, EphemeralContainer, PodOS, Volume } from '../../../../../kinds/index.js';
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../../../../kubernetes/index.js';
import { containerRequirementErrors, dnsLabel, type Errors, invalidEach, oneOf, portNameProblems, portNumber } from '../../checks/index.js';
import { envErrors, envFromErrors } from './env-validation.js';
import { mountErrors, notFound } from './mount-validation.js';
import { isSidecar } from './pod-level-resources.js';
import { lifecycleErrors, probeErrors } from './probe-validation.js';
import { containerSecurityErrors } from './security-context.js';

/** What the rules of containers have to know of their pod. */
export interface PodOfContainers {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claimNames: ReadonlySet<string>;
  readonly gracePeriod: number | undefined;
  readonly os: PodOS | undefined;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

/** Source: kubernetes 1.34 `pkg/apis/core/validation` (`validateContainers`). */
export function containerErrors(containers: readonly Container[], path: string, pod: PodOfContainers): Errors {
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const field = `${path}[${index}]`;
    const own: FieldError[] = [...commonErrors(container, field, pod)];
    if (names.has(container.name)) own.push(duplicate(`${field}.name`, container.name));
    names.add(container.name);
    own.push(...lifecycleErrors(container.lifecycle, `${field}.lifecycle`, pod), ...probeErrors(container, field, pod.gracePeriod));
    if (container.restartPolicy !== undefined) own.push(forbidden(`${field}.restartPolicy`, 'may not be set for non-init containers'));
    return own;
  });
  return [...errors, ...hostPortErrors(containers, path)];
}

export function initContainerErrors(
  containers: readonly Container[],
  path: string,
  { others, ...pod }: PodOfContainers & { readonly others: readonly Container[] },
): Errors {
  const names = new Set(others.map(({ name }) => name));
  return containers.flatMap((container, index) => {
    const field = `${path}[${index}]`;
    const { name, restartPolicy } = container;
    const errors: FieldError[] = [...commonErrors(container, field, pod)];
    if (restartPolicy !== undefined && restartPolicy !== 'Always') {
      errors.push(notSupported(`${field}.restartPolicy`, restartPolicy, ['Always']));
    }
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    else if (name !== '') names.add(name);
    errors.push(...hostPortErrors([container], path));
    if (!isSidecar(container)) return [...errors, ...endingContainerErrors(container, field)];
    return [
      ...errors,
      ...lifecycleErrors(container.lifecycle, `${field}.lifecycle`, pod),
      ...probeErrors(container, field, pod.gracePeriod),
    ];
  });
}

/** What makes no sense of a container that has to end before the others begin. */
function endingContainerErrors({ lifecycle, livenessProbe, readinessProbe, startupProbe }: Container, path: string): Errors {
  return Object.entries({ lifecycle, livenessProbe, readinessProbe, startupProbe })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => forbidden(`${path}.${name}`, 'may not be set for init containers without restartPolicy=Always'));
}

const EPHEMERAL_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'image',
  'command',
  'args',
  'workingDir',
  'envFrom',
  'env',
  'volumeMounts',
  'volumeDevices',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'imagePullPolicy',
  'securityContext',
  'stdin',
  'stdinOnce',
  'tty',
  'targetContainerName',
]);

export function ephemeralContainerErrors(
  containers: readonly EphemeralContainer[],
  path: string,
  { others, ...pod }: PodOfContainers & { readonly others: readonly Container[] },
): Errors {
  const otherNames = new Set(others.map(({ name }) => name));
  const names = new Set(otherNames);
  return containers.flatMap((container, index) => {
    const field = `${path}[${index}]`;
    const { name, targetContainerName = '', volumeMounts = [] } = container;
    const errors: FieldError[] = [...commonErrors(container, field, pod), ...imageSpaceErrors(container, field)];
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    names.add(name);
    if (targetContainerName !== '' && !otherNames.has(targetContainerName))
      errors.push(notFound(`${field}.targetContainerName`, targetContainerName));
    for (const [key, value] of Object.entries(container)) {
      const isSet = !EPHEMERAL_FIELDS.has(key) && !(key === 'resources' && Object.keys(value as object).length === 0);
      if (isSet) errors.push(forbidden(`${field}.${key}`, TOO_MUCH));
    }
    for (const [position, { subPath = '', subPathExpr = '' }] of volumeMounts.entries()) {
      if (subPath !== '') errors.push(forbidden(`${field}.volumeMounts[${position}].subPath`, TOO_MUCH));
      if (subPathExpr !== '') errors.push(forbidden(`${field}.volumeMounts[${position}].subPathExpr`, TOO_MUCH));
    }
    return errors;
  });
}

const TOO_MUCH = 'cannot be set for an Ephemeral Container';

/** Of pods, not of templates. */
export function imageSpaceErrors({ image = '' }: Pick<Container, 'image'>, path: string): Errors {
  return image === image.trim() ? [] : [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}

function commonErrors(container: Container, path: string, pod: PodOfContainers): Errors {
  const { name, image = '', ports = [], env = [], envFrom = [], resizePolicy = [] } = container;
  return [
    ...(name === '' ? [required(`${path}.name`)] : dnsLabel(name, `${path}.name`)),
    ...(image === '' ? [required(`${path}.image`)] : []),
    ...oneOf(container.terminationMessagePolicy, ['File', 'FallbackToLogsOnError'], `${path}.terminationMessagePolicy`),
    ...portErrors(ports, `${path}.ports`),
    ...envErrors(env, `${path}.env`),
    ...envFromErrors(envFrom, `${path}.envFrom`),
    ...mountErrors(container, pod.volumes, path),
    ...oneOf(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.imagePullPolicy`),
    ...containerRequirementErrors(container.resources, `${path}.resources`, pod.claimNames),
    ...resizePolicyErrors(resizePolicy, `${path}.resizePolicy`, pod.restartPolicy),
    ...containerSecurityErrors(container.securityContext, `${path}.securityContext`, pod.hostUsers),
  ];
}

const PROTOCOLS: readonly string[] = ['SCTP', 'TCP', 'UDP'];

function portErrors(ports: readonly ContainerPort[], path: string): Errors {
  const names = new Set<string>();
  return ports.flatMap(({ name = '', containerPort, hostPort = 0, protocol }, index) => {
    const field = `${path}[${index}]`;
    const problems = name === '' ? [] : portNameProblems(name);
    const errors: FieldError[] = [...invalidEach(`${field}.name`, name, problems)];
    if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    else if (name !== '' && problems.length === 0) names.add(name);
    errors.push(...(containerPort === 0 ? [required(`${field}.containerPort`)] : portNumber(containerPort, `${field}.containerPort`)));
    if (hostPort !== 0) errors.push(...portNumber(hostPort, `${field}.hostPort`));
    return [...errors, ...oneOf(protocol, PROTOCOLS, `${field}.protocol`)];
  });
}

function hostPortErrors(containers: readonly Container[], path: string): Errors {
  const taken = new Set<string>();
  return containers.flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ protocol = '', hostIP = '', hostPort = 0 }, position) => {
      const port = `${protocol}/${hostIP}/${hostPort}`;
      const isTaken = hostPort !== 0 && taken.has(port);
      if (hostPort !== 0) taken.add(port);
      return isTaken ? [duplicate(`${path}[${index}].ports[${position}].hostPort`, port)] : [];
    }),
  );
}

function resizePolicyErrors(policies: NonNullable<Container['resizePolicy']>, path: string, podRestartPolicy: string): Errors {
  const seen = new Set<string>();
  return policies.flatMap(({ resourceName, restartPolicy }, index) => {
    const errors: FieldError[] = seen.has(resourceName) ? [duplicate(`${path}[${index}]`, resourceName)] : [];
    seen.add(resourceName);
    errors.push(...oneOf(resourceName, ['cpu', 'memory'], path), ...oneOf(restartPolicy, ['NotRequired', 'RestartContainer'], path));
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      errors.push(invalid(path, restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    }
    return errors;
  });
}
