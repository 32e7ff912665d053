import type { Container, EnvVar, ObjectFieldSelector, ResourceFieldSelector } from '../../../../../kinds/index.js';
import { dns1123SubdomainProblems, type FieldError, invalid, notSupported, required } from '../../../../../kubernetes/index.js';
import {
  configMapKeyProblems,
  dnsSubdomainPrefix,
  type Errors,
  envVarNameProblems,
  invalidEach,
  isZeroAmount,
  labelName,
  requiredText,
} from '../../checks/index.js';

/** Variables of containers, and fields of the pod that they and downward API volumes may show. Source: kubernetes 1.34 `pkg/apis/core/validation`. */
export function envErrors(env: readonly EnvVar[], path: string): Errors {
  return env.flatMap((variable, index) => {
    const field = `${path}[${index}]`;
    const { name } = variable;
    const nameErrors = name === '' ? [required(`${field}.name`)] : invalidEach(`${field}.name`, name, envVarNameProblems(name));
    return [...nameErrors, ...valueFromErrors(variable, `${field}.valueFrom`)];
  });
}

const FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

function valueFromErrors({ value = '', valueFrom }: EnvVar, path: string): Errors {
  if (valueFrom === undefined) return [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter((source) => source !== undefined).length;
  const errors: FieldError[] = [];
  if (fieldRef !== undefined) errors.push(...fieldRefErrors(fieldRef, FIELDS, `${path}.fieldRef`));
  if (resourceFieldRef !== undefined)
    errors.push(...resourceFieldErrors(resourceFieldRef, `${path}.resourceFieldRef`, { isVolume: false }));
  for (const [name, reference] of Object.entries({ configMapKeyRef, secretKeyRef })) {
    if (reference !== undefined) errors.push(...keyErrors(reference, `${path}.${name}`));
  }
  if (sources === 0)
    errors.push(invalid(path, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'));
  else if (value !== '') errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (sources > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  return errors;
}

function keyErrors({ name = '', key }: { name?: string | undefined; key: string }, path: string): Errors {
  const keyProblems = key === '' ? [required(`${path}.key`)] : invalidEach(`${path}.key`, key, configMapKeyProblems(key));
  return [...invalidEach(`${path}.name`, name, dns1123SubdomainProblems(name)), ...keyProblems];
}

/** Labels of fields that the server can read of a pod. Source: kubernetes `pkg/apis/core/pods`. */
const READABLE: ReadonlySet<string> = new Set([
  ...FIELDS,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

export function fieldRefErrors({ apiVersion = '', fieldPath }: ObjectFieldSelector, supported: readonly string[], path: string): Errors {
  if (apiVersion === '') return [required(`${path}.apiVersion`)];
  if (fieldPath === '') return [required(`${path}.fieldPath`)];
  const subscripted = /^(.+?)\['(.*)'\]$/.exec(fieldPath);
  const conversion = conversionProblem(apiVersion, fieldPath, subscripted?.[1]);
  if (conversion !== undefined) return [invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${conversion}`)];
  const label = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  if (subscripted === null) return supported.includes(label) ? [] : [notSupported(`${path}.fieldPath`, label, supported)];
  const [, whole = '', key = ''] = subscripted;
  if (whole === 'metadata.annotations') return labelName(key.toLowerCase(), path).map((error) => error);
  return whole === 'metadata.labels' ? labelName(key, path) : [invalid(path, whole, 'does not support subscript')];
}

function conversionProblem(version: string, label: string, subscripted: string | undefined): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  if (subscripted !== undefined) {
    return subscripted === 'metadata.annotations' || subscripted === 'metadata.labels'
      ? undefined
      : `field label does not support subscript: ${label}`;
  }
  return READABLE.has(label) || label === 'spec.host' ? undefined : `field label not supported: ${label}`;
}

const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const SIZES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

export function resourceFieldErrors(
  { containerName = '', resource, divisor = '0' }: ResourceFieldSelector,
  path: string,
  { isVolume }: { readonly isVolume: boolean },
): Errors {
  const isKnown = RESOURCES.includes(resource) || /^(?:limits|requests)\.hugepages-/.test(resource);
  const errors: FieldError[] = [];
  if (isVolume && containerName === '') errors.push(required(`${path}.containerName`));
  else if (resource === '') errors.push(required(`${path}.resource`));
  else if (!isKnown) errors.push(notSupported(`${path}.resource`, resource, RESOURCES));
  return [...errors, ...divisorErrors(resource, String(divisor), `${path}.divisor`)];
}

function divisorErrors(resource: string, divisor: string, path: string): Errors {
  if (isZeroAmount(divisor)) return [];
  const [, what = ''] = /^(?:limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-)/.exec(resource) ?? [];
  if (what === 'cpu') {
    return ['1m', '1'].includes(divisor)
      ? []
      : [invalid(path, resource, "only divisor's values 1m and 1 are supported with the cpu resource")];
  }
  if (what === '' || SIZES.includes(divisor)) return [];
  const name = what === 'ephemeral-storage' ? 'local ephemeral storage' : what === 'hugepages-' ? 'hugepages' : what;
  return [invalid(path, resource, `only divisor's values ${SIZES.join(', ')} are supported with the ${name} resource`)];
}

export function envFromErrors(sources: NonNullable<Container['envFrom']>, path: string): Errors {
  return sources.flatMap(({ prefix = '', configMapRef, secretRef }, index) => {
    const field = `${path}[${index}]`;
    const count = [configMapRef, secretRef].filter((source) => source !== undefined).length;
    return [
      ...(prefix === '' ? [] : invalidEach(`${field}.prefix`, prefix, envVarNameProblems(prefix))),
      ...sourceErrors(configMapRef, `${field}.configMapRef.name`),
      ...sourceErrors(secretRef, `${field}.secretRef.name`),
      ...(count === 0 ? [invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')] : []),
      ...(count > 1 ? [invalid(path, '', 'may not have more than one field specified at a time')] : []),
    ];
  });
}

function sourceErrors(source: { name?: string | undefined } | undefined, path: string): Errors {
  if (source === undefined) return [];
  return source.name === undefined || source.name === '' ? requiredText('', path) : dnsSubdomainPrefix(source.name, path);
}
