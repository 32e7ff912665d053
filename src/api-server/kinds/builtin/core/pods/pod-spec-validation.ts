import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  required,
  tooLong,
  validateAnnotations,
  validateLabels,
} from '@keelson/kubernetes/apimachinery';
import {
  between,
  compareAmounts,
  containerRequirementErrors,
  dnsLabel,
  dnsSubdomain,
  type Errors,
  internalValue,
  ipErrors,
  isHugePages,
  labelName,
  mustBeOneOf,
  oneOf,
  requirementErrors,
  resourceNameErrors,
  those,
} from '../../checks/index.js';
import type { Container, PodSpec, PodTemplateSpec } from '../../drafts.js';
import {
  containerErrors,
  ephemeralContainerErrors,
  initContainerErrors,
  isPodLevelResource,
  podSecurityErrors,
  sumOfContainers,
} from '../containers/index.js';
import { checkVolumes } from '../volumes/index.js';
import { affinityErrors } from './affinity-validation.js';
import { podAnnotationErrors } from './pod-annotations.js';
import { schedulingGateErrors, tolerationErrors, topologySpreadErrors } from './scheduling-validation.js';

/** Source: kubernetes `pkg/apis/core/validation` (`ValidatePodSpec`), with its default feature gates. Options for Windows are not looked at. */
export interface PodSpecRules {
  readonly path: string;
  /** The pod's name; undefined: a template. Not yet generated: empty. */
  readonly podName?: string | undefined;
}

export function podSpecErrors(spec: PodSpec, { path, podName }: PodSpecRules): Errors {
  const { terminationGracePeriodSeconds: gracePeriod, containers: written, initContainers = [], ephemeralContainers = [] } = spec;
  const containers = written ?? [];
  const { volumes, errors: volumeErrors } = checkVolumes(spec.volumes ?? [], `${path}.volumes`, podName);
  const claimNames = new Set((spec.resourceClaims ?? []).map(({ name }) => name).filter((name) => name !== ''));
  const hostUsers = spec.hostUsers !== false;
  const pod = { volumes, claimNames, gracePeriod, os: spec.os, restartPolicy: spec.restartPolicy ?? '', hostUsers };
  const others = [...containers, ...initContainers];
  return those(
    gracePeriod === undefined && required(`${path}.terminationGracePeriodSeconds`),
    volumeErrors,
    claimErrors(spec.resourceClaims ?? [], `${path}.resourceClaims`),
    containerErrors(containers, `${path}.containers`, pod),
    initContainerErrors(initContainers, `${path}.initContainers`, { ...pod, others: containers }),
    ephemeralContainerErrors(ephemeralContainers, `${path}.ephemeralContainers`, { ...pod, others }),
    podResourceErrors(spec, path, claimNames),
    hostNetworkErrors(spec, path, podName !== undefined),
    mustBeOneOf(['Always', 'OnFailure', 'Never'])(spec.restartPolicy, `${path}.restartPolicy`),
    mustBeOneOf(['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'])(spec.dnsPolicy, `${path}.dnsPolicy`),
    validateLabels(spec.nodeSelector ?? {}, `${path}.nodeSelector`),
    podSecurityErrors(spec, `${path}.securityContext`),
    spec.shareProcessNamespace === true && spec.hostPID === true && invalid(`${path}.shareProcessNamespace`, true, SHARED_TWICE),
    affinityErrors(spec.affinity, `${path}.affinity`),
    dnsConfigErrors(spec, `${path}.dnsConfig`),
    (spec.readinessGates ?? []).flatMap(({ conditionType }, index) =>
      labelName(conditionType, `${path}.readinessGates[${index}].conditionType`),
    ),
    schedulingGateErrors(spec.schedulingGates ?? [], `${path}.schedulingGates`),
    topologySpreadErrors(spec.topologySpreadConstraints ?? [], `${path}.topologySpreadConstraints`),
    hostUsersErrors(spec, path),
    hostnameErrors(spec, `${path}.hostnameOverride`),
    namesErrors(spec, path),
    osErrors(spec, path),
  );
}

const SHARED_TWICE = 'ShareProcessNamespace and HostPID cannot both be enabled';

type PodClaims = NonNullable<PodSpec['resourceClaims']>;

function claimErrors(claims: PodClaims, path: string): Errors {
  const names = new Set<string>();
  return claims.flatMap((claim, index) => {
    const field = `${path}[${index}]`;
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    const printed = (): unknown => internalValue('core/v1.PodResourceClaim', claim);
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${field}.name`));
    else if (names.has(name)) errors.push(duplicate(`${field}.name`, name));
    else errors.push(...dnsLabel(name, `${field}.name`));
    names.add(name);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      errors.push(invalid(field, printed(), 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'));
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      errors.push(invalid(field, printed(), 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    }
    if (resourceClaimName !== undefined) errors.push(...dnsSubdomain(resourceClaimName, `${field}.resourceClaimName`));
    if (resourceClaimTemplateName !== undefined)
      errors.push(...dnsSubdomain(resourceClaimTemplateName, `${field}.resourceClaimTemplateName`));
    return errors;
  });
}

function podResourceErrors(spec: PodSpec, path: string, claimNames: ReadonlySet<string>): Errors {
  const { resources } = spec;
  const field = `${path}.resources`;
  if (resources === undefined) return [];
  if (spec.os?.name === 'windows') return [forbidden(field, 'may not be set for a windows pod')];
  const nameErrors = (name: string, at: string): Errors => {
    const errors = resourceNameErrors(name, at);
    if (errors.length > 0 || isPodLevelResource(name)) return errors;
    return oneOf(['cpu', 'hugepages-', 'memory'])(name, at);
  };
  return those(
    resources.claims !== undefined && forbidden(`${field}.claims`, 'claims may not be set for Resources at pod-level'),
    requirementErrors(resources, { path: field, claimNames, nameErrors }),
    consistencyErrors(spec, resources, field),
  );
}

/** A pod has at least what its containers have together. */
function consistencyErrors(spec: PodSpec, { limits = {}, requests = {} }: NonNullable<PodSpec['resources']>, path: string): Errors {
  const errors: FieldError[] = [];
  for (const [name, sum] of Object.entries(sumOfContainers(spec, 'requests'))) {
    const request = requests[name];
    const text = `must be greater than or equal to aggregate container requests of ${sum}`;
    if (request !== undefined && compareAmounts(sum, request) > 0) errors.push(invalid(`${path}.requests[${name}]`, String(request), text));
  }
  for (const [name, sum] of Object.entries(sumOfContainers(spec, 'limits'))) {
    const limit = limits[name];
    if (!isHugePages(name) || limit === undefined || compareAmounts(sum, limit) <= 0) continue;
    errors.push(invalid(`${path}.limits[${name}]`, String(limit), `must be greater than or equal to aggregate container limits of ${sum}`));
  }
  for (const [index, { resources }] of (spec.containers ?? []).entries()) {
    for (const [name, amount] of Object.entries(resources?.limits ?? {})) {
      const limit = limits[name];
      if (limit === undefined || compareAmounts(amount, limit) <= 0) continue;
      errors.push(
        invalid(`${path}.containers[${index}][${name}].limits`, String(amount), `must be less than or equal to pod limits of ${limit}`),
      );
    }
  }
  return errors;
}

/** A template may leave the ports of the host to the defaults of its pods. */
function hostNetworkErrors({ hostNetwork, containers }: PodSpec, path: string, isPod: boolean): Errors {
  if (hostNetwork !== true) return [];
  return (containers ?? []).flatMap(({ ports = [] }, index) =>
    ports.flatMap(({ hostPort = 0, containerPort }, position) => {
      const field = `${path}.containers[${index}].ports[${position}].hostPort`;
      const isWrong = (isPod || hostPort !== 0) && hostPort !== containerPort;
      return isWrong ? [invalid(field, hostPort, 'must match `containerPort` when `hostNetwork` is true')] : [];
    }),
  );
}

const MAX_SEARCH_CHARACTERS = 2048;

function dnsConfigErrors({ dnsPolicy, dnsConfig }: PodSpec, path: string): Errors {
  const { nameservers = [], searches = [], options = [] } = dnsConfig ?? {};
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (nameservers.length === 0)
      return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  const searchText = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
  return those(
    nameservers.length > 3 && invalid(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers'),
    nameservers.flatMap((server, index) => ipErrors(server, `${path}.nameservers[${index}]`)),
    searches.length > 32 && invalid(`${path}.searches`, searches, 'must not have more than 32 search paths'),
    searches.join(' ').length > MAX_SEARCH_CHARACTERS && invalid(`${path}.searches`, searches, searchText),
    searches.flatMap((search, index) => searchErrors(search, `${path}.searches[${index}]`)),
    options.flatMap(({ name = '' }, index) => (name === '' ? [required(`${path}.options[${index}]`, 'must not be empty')] : [])),
  );
}

const UNDERSCORE_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

function searchErrors(search: string, path: string): Errors {
  const name = search.replace(/\.$/, '');
  const pattern = `${UNDERSCORE_LABEL}(\\.${UNDERSCORE_LABEL})*`;
  if (search === '.' || new RegExp(`^${pattern}$`).test(name)) return [];
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character";
  return [invalid(path, name, `${rule} (e.g. 'example.com', regex used for validation is '${pattern}')`)];
}

function hostUsersErrors(spec: PodSpec, path: string): Errors {
  if (spec.hostUsers !== false) return [];
  const { hostNetwork, hostPID, hostIPC } = spec;
  const text = 'when `hostUsers` is false';
  return those(
    hostNetwork === true && forbidden(`${path}.hostNetwork`, text),
    hostPID === true && forbidden(`${path}.HostPID`, text),
    hostIPC === true && forbidden(`${path}.HostIPC`, text),
    containersWithPaths(spec, path).flatMap(([{ volumeDevices = [] }, field]) =>
      volumeDevices.length > 0 ? [forbidden(`${field}.volumeDevices`, text)] : [],
    ),
  );
}

const MAX_HOSTNAME = 64;

function hostnameErrors({ hostnameOverride: name, setHostnameAsFQDN, hostNetwork }: PodSpec, path: string): Errors {
  if (name === undefined) return [];
  return those(
    setHostnameAsFQDN === true && forbidden(path, 'may not be specified when setHostnameAsFQDN is true'),
    hostNetwork === true && forbidden(path, 'may not be specified when hostNetwork is true'),
    name.length > MAX_HOSTNAME && tooLong(path, MAX_HOSTNAME),
    dnsSubdomain(name, path),
  );
}

/** Init containers come first. */
export function containersWithPaths(spec: PodSpec, path: string): readonly (readonly [container: Container, path: string])[] {
  const { initContainers, containers, ephemeralContainers } = spec;
  return Object.entries({ initContainers, containers, ephemeralContainers }).flatMap(([name, list]) =>
    (list ?? []).map((container, index) => [container, `${path}.${name}[${index}]`] as const),
  );
}

function namesErrors(spec: PodSpec, path: string): Errors {
  const { serviceAccountName, nodeName, hostname, subdomain, priorityClassName, runtimeClassName, activeDeadlineSeconds } = spec;
  const subdomainOf = (value: string | undefined, field: string): Errors =>
    value === undefined || value === '' ? [] : dnsSubdomain(value, `${path}.${field}`);
  const labelOf = (value: string | undefined, field: string): Errors =>
    value === undefined || value === '' ? [] : dnsLabel(value, `${path}.${field}`);
  return those(
    subdomainOf(serviceAccountName, 'serviceAccountName'),
    subdomainOf(nodeName, 'nodeName'),
    between(1, 2_147_483_647)(activeDeadlineSeconds, `${path}.activeDeadlineSeconds`),
    labelOf(hostname, 'hostname'),
    labelOf(subdomain, 'subdomain'),
    tolerationErrors(spec.tolerations ?? [], `${path}.tolerations`),
    (spec.hostAliases ?? []).flatMap(({ ip, hostnames = [] }, index) => [
      ...ipErrors(ip, `${path}.hostAliases[${index}].ip`),
      ...hostnames.flatMap((host, position) => dnsSubdomain(host, `${path}.hostAliases[${index}].hostnames[${position}]`)),
    ]),
    subdomainOf(priorityClassName, 'priorityClassName'),
    runtimeClassName !== undefined && dnsSubdomain(runtimeClassName, `${path}.runtimeClassName`),
    spec.preemptionPolicy !== undefined &&
      mustBeOneOf(['PreemptLowerPriority', 'Never'])(spec.preemptionPolicy, `${path}.preemptionPolicy`),
    containerRequirementErrors(spec.overhead && { limits: spec.overhead }, `${path}.overhead`, new Set()),
  );
}

function osErrors(spec: PodSpec, path: string): Errors {
  const { os } = spec;
  if (os === undefined) return [];
  if (os.name === '') return [required(`${path}.os.name`)];
  if (os.name !== 'linux') return oneOf(['linux', 'windows'])(os.name, `${path}.os`);
  const text = 'windows options cannot be set for a linux pod';
  return those(
    !(spec.securityContext?.windowsOptions === undefined) && forbidden(`${path}.securityContext.windowsOptions`, text),
    containersWithPaths(spec, path).flatMap(([{ securityContext }, field]) =>
      securityContext?.windowsOptions === undefined ? [] : [forbidden(`${field}.securityContext.windowsOptions`, text)],
    ),
  );
}

/** Source: `ValidatePodTemplateSpec`. */
export function podTemplateErrors(template: PodTemplateSpec, path: string): Errors {
  const { metadata = {}, spec = { containers: [] } } = template;
  const isDebugged = (spec.ephemeralContainers ?? []).length > 0;
  return those(
    validateLabels(metadata.labels ?? {}, `${path}.labels`),
    validateAnnotations(metadata.annotations ?? {}, `${path}.annotations`),
    podAnnotationErrors(metadata.annotations ?? {}, spec, `${path}.annotations`),
    podSpecErrors(spec, { path: `${path}.spec` }),
    isDebugged && forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'),
  );
}
