import { duplicate, type FieldError, forbidden, invalid, required } from '@keelson/kubernetes/apimachinery';
import {
  all,
  atMostItems,
  containerRequirementErrors,
  dnsLabel,
  type Errors,
  filled,
  mustBeOneOf,
  needed,
  neededThen,
  oneOf,
  portName,
  portNumber,
  type Rule,
  shape,
  those,
  when,
} from '../../checks/index.js';
import type { Container, ContainerPort, EphemeralContainer, PodOS, Volume } from '../../drafts.js';
import { envErrors, envFromErrors } from './env-validation.js';
import { mountErrors, notFound } from './mount-validation.js';
import { isSidecar } from './pod-level-resources.js';
import { lifecycleErrors, probeErrors } from './probe-validation.js';
import { containerSecurityErrors } from './security-context.js';

/** The facts of a pod that the rules of its containers need. */
export interface PodOfContainers {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly claimNames: ReadonlySet<string>;
  readonly gracePeriod: number | undefined;
  readonly os: PodOS | undefined;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

/** Source: kubernetes `pkg/apis/core/validation` (`validateContainers`). */
export function containerErrors(containers: readonly Container[], path: string, pod: PodOfContainers): Errors {
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const field = `${path}[${index}]`;
    const own: FieldError[] = [...commonErrors(container, field, pod)];
    if (names.has(container.name)) own.push(duplicate(`${field}.name`, container.name));
    names.add(container.name);
    own.push(...lifecycleErrors(container.lifecycle, `${field}.lifecycle`, pod), ...probeErrors(container, field, pod.gracePeriod));
    own.push(...restartErrors(container, field));
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
    const { name } = container;
    const errors: FieldError[] = [...commonErrors(container, field, pod), ...restartErrors(container, field)];
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

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;

function restartErrors({ restartPolicy: policy, restartPolicyRules: rules = [] }: Container, path: string): Errors {
  return those(
    policy === undefined && rules.length > 0 && required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'),
    oneOf(['Always', 'Never', 'OnFailure'])(policy, `${path}.restartPolicy`),
    atMostItems(MAX_RULES)(rules, `${path}.restartPolicyRules`),
    rules.flatMap(({ action, exitCodes }, index) => {
      const field = `${path}.restartPolicyRules[${index}]`;
      const actionErrors = oneOf(['Restart', 'RestartAllContainers'])(action, `${field}.action`);
      if (exitCodes === undefined) return [...actionErrors, required(`${field}.exitCodes`, 'must be specified')];
      return those(
        actionErrors,
        oneOf(['In', 'NotIn'])(exitCodes.operator, `${field}.exitCodes.operator`),
        atMostItems(MAX_EXIT_CODES)(exitCodes.values ?? [], `${field}.exitCodes.values`),
      );
    }),
  );
}

/** Fields that make no sense for a container that has to end before the others begin. */
function endingContainerErrors(container: Container, path: string): Errors {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe, resizePolicy = [] } = container;
  const restarting = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  return [
    ...Object.entries({ lifecycle, livenessProbe, readinessProbe, startupProbe })
      .filter(([, value]) => value !== undefined)
      .map(([name]) => forbidden(`${path}.${name}`, 'may not be set for init containers without restartPolicy=Always')),
    ...resizePolicy.flatMap(({ restartPolicy }, index) =>
      restartPolicy === 'RestartContainer' ? [invalid(`${path}.resizePolicy[${index}].restartPolicy`, restartPolicy, restarting)] : [],
    ),
  ];
}

const EPHEMERAL_FIELDS: ReadonlySet<string> = new Set(
  (
    'name image command args workingDir envFrom env volumeMounts volumeDevices terminationMessagePath terminationMessagePolicy ' +
    'imagePullPolicy securityContext stdin stdinOnce tty targetContainerName'
  ).split(' '),
);

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

/** The rules of pods, not of templates. */
export function imageSpaceErrors({ image = '' }: Pick<Container, 'image'>, path: string): Errors {
  return image === image.trim() ? [] : [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}

function commonErrors(container: Container, path: string, pod: PodOfContainers): Errors {
  return all<Container>(
    shape<Container>({
      name: neededThen(dnsLabel),
      image: needed(),
      terminationMessagePolicy: mustBeOneOf(['File', 'FallbackToLogsOnError']),
      ports: portErrors,
      env: envErrors,
      envFrom: (sources = [], at) => envFromErrors(sources, at),
    }),
    () => mountErrors(container, pod.volumes, path),
    shape<Container>({
      imagePullPolicy: mustBeOneOf(['Always', 'IfNotPresent', 'Never']),
      resources: (resources, at) => containerRequirementErrors(resources, at, pod.claimNames),
      resizePolicy: (policies = [], at) => resizePolicyErrors(policies, at, pod.restartPolicy),
      securityContext: (context, at) => containerSecurityErrors(context, at, pod.hostUsers),
    }),
  )(container, path);
}

/** Only valid names are taken. */
function portErrors(ports: readonly ContainerPort[] = [], path: string): Errors {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const { name = '' } = port;
    const field = `${path}[${index}]`;
    const nameErrors = filled(portName)(name, `${field}.name`);
    const twice = names.has(name) ? [duplicate(`${field}.name`, name)] : [];
    if (name !== '' && nameErrors.length === 0) names.add(name);
    return [...nameErrors, ...twice, ...portRules(port, field)];
  });
}

const zeroless = (rule: Rule<number>): Rule<number> => when((port) => port !== 0, rule);
const portRules = shape<ContainerPort>({
  containerPort: (port, path) => (port === 0 ? [required(path)] : portNumber(port, path)),
  hostPort: zeroless(portNumber),
  protocol: mustBeOneOf(['SCTP', 'TCP', 'UDP']),
});

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

/** The server names the list, but for a duplicate. */
function resizePolicyErrors(policies: NonNullable<Container['resizePolicy']>, path: string, podRestartPolicy: string): Errors {
  const names = policies.map(({ resourceName }) => resourceName);
  const mustNotRestart = podRestartPolicy === 'Never' ? "must be 'NotRequired' when pod `restartPolicy` is 'Never'" : undefined;
  return policies.flatMap(({ resourceName, restartPolicy }, index) =>
    those(
      names.indexOf(resourceName) < index && duplicate(`${path}[${index}]`, resourceName),
      mustBeOneOf(['cpu', 'memory'])(resourceName, path),
      mustBeOneOf(['NotRequired', 'RestartContainer'])(restartPolicy, path),
      mustNotRestart && restartPolicy !== 'NotRequired' && invalid(path, restartPolicy, mustNotRestart),
    ),
  );
}
