import { dns1123SubdomainProblems, type FieldError, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import {
  all,
  configMapKeyProblems,
  dnsLabel,
  dnsSubdomainPrefix,
  type Errors,
  each,
  envVarNameProblems,
  filled,
  isZeroAmount,
  labelName,
  neededThen,
  noBacksteps,
  type Rule,
  shape,
  texts,
  those,
} from '../../checks/index.js';
import type { Container, EnvVar, ObjectFieldSelector, ResourceFieldSelector } from '../../drafts.js';

/** Variables of containers, and fields of the pod that they and downward API volumes may show. Source: kubernetes `pkg/apis/core/validation`. */
export const envErrors: Rule<readonly EnvVar[]> = each(
  all(shape<EnvVar>({ name: neededThen(texts(envVarNameProblems)) }), (variable, path) =>
    variable?.valueFrom === undefined ? [] : valueFromErrors(variable, variable.valueFrom, `${path}.valueFrom`),
  ),
);

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

function valueFromErrors({ value = '' }: EnvVar, source: NonNullable<EnvVar['valueFrom']>, path: string): Errors {
  const count = Object.values(source).filter((present) => present !== undefined).length;
  return those(
    sourceRules(source, path),
    count === 0 &&
      invalid(path, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'),
    count > 0 && value !== '' && invalid(path, '', 'may not be specified when `value` is not empty'),
    count > 1 && value === '' && invalid(path, '', 'may not have more than one field specified at a time'),
  );
}

const keyRules = shape<{ readonly name?: string | undefined; readonly key: string }>({
  name: (name = '', path) => texts(dns1123SubdomainProblems)(name, path),
  key: neededThen(texts(configMapKeyProblems)),
});
const sourceRules = shape<NonNullable<EnvVar['valueFrom']>>({
  fieldRef: (reference, path) => (reference === undefined ? [] : fieldRefErrors(reference, FIELDS, path)),
  resourceFieldRef: (reference, path) => (reference === undefined ? [] : resourceFieldErrors(reference, path, { isVolume: false })),
  configMapKeyRef: keyRules,
  secretKeyRef: keyRules,
  fileKeyRef: shape<NonNullable<NonNullable<EnvVar['valueFrom']>['fileKeyRef']>>({
    key: neededThen(texts(envVarNameProblems)),
    volumeName: neededThen(dnsLabel),
    path: neededThen(noBacksteps),
  }),
});

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
  if (whole === 'metadata.annotations') return labelName(key.toLowerCase(), path);
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

const optionalSource = shape<{ readonly name?: string | undefined }>({ name: neededThen(dnsSubdomainPrefix) });
const envFromRules = shape<NonNullable<Container['envFrom']>[number]>({
  prefix: filled(texts(envVarNameProblems)),
  configMapRef: optionalSource,
  secretRef: optionalSource,
});

/** The server names the list if the number of sources is wrong. */
export function envFromErrors(sources: NonNullable<Container['envFrom']>, path: string): Errors {
  return sources.flatMap((source, index) => {
    const count = [source.configMapRef, source.secretRef].filter((present) => present !== undefined).length;
    return those(
      envFromRules(source, `${path}[${index}]`),
      count === 0 && invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'),
      count > 1 && invalid(path, '', 'may not have more than one field specified at a time'),
    );
  });
}
