import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  type FieldError,
  invalid,
  notSupported,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import {
  dnsSubdomain,
  type Errors,
  hostErrors,
  invalidEach,
  ipErrors,
  parseIp,
  portNameProblems,
  portNumber,
  those,
} from '../checks/index.js';
import { hostnameErrors } from '../core/index.js';
import type { HTTPIngressPath, Ingress, IngressBackend, IngressSpec } from '../drafts.js';
import { withStatus } from '../generation.js';
import { typedReferenceErrors } from './ingress-class.js';

const CLASS_ANNOTATION = 'kubernetes.io/ingress.class';

/** Source: kubernetes `pkg/registry/networking/ingress`, `pkg/apis/networking/validation`. */
export const ingresses: Behaviour<Ingress> = {
  ...withStatus<Ingress>({ newStatus: () => ({ loadBalancer: {} }) }),
  validate: (ingress) => [...specErrors(ingress.spec ?? {}, {}), ...classErrors(ingress)],
  warningsOnCreate({ metadata, spec = {} }) {
    const isOld = metadata.annotations?.[CLASS_ANNOTATION] !== undefined && spec.ingressClassName === undefined;
    return isOld ? [`annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
  },
  validateUpdate: ({ spec = {} }, { spec: old = {} }) => specErrors(spec, old),
  revalidatesMetadata: true,
  validateStatusUpdate({ status = {} }, old) {
    const known = (old.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip);
    return (status.loadBalancer?.ingress ?? []).flatMap(({ ip = '', hostname = '' }, index) => {
      const path = `status.loadBalancer.ingress[${index}]`;
      return [...(ip === '' || known.includes(ip) ? [] : ipErrors(ip, `${path}.ip`)), ...hostnameErrors(hostname, `${path}.hostname`)];
    });
  },
};

function classErrors({ metadata, spec = {} }: Ingress): Errors {
  const annotation = metadata.annotations?.[CLASS_ANNOTATION];
  const { ingressClassName: name } = spec;
  if (annotation === undefined || name === undefined || annotation === name) return [];
  return [invalid(`annotations.${CLASS_ANNOTATION}`, annotation, 'must match `ingressClassName` when both are specified')];
}

/** A value that an older server has let through may stay. */
function specErrors(spec: IngressSpec, old: IngressSpec): Errors {
  const { rules, defaultBackend, tls, ingressClassName: name } = spec;
  const isEmpty = (rules ?? []).length === 0 && defaultBackend === undefined;
  const hadBadSecret = (old.tls ?? []).some(({ secretName = '' }) => secretNameProblems(secretName).length > 0);
  const hadBadRule = (old.rules ?? []).some((rule) => rule.host?.includes('*') && ruleErrors(rule, '').length > 0);
  return those(
    isEmpty && invalid('spec', rules ?? null, 'either `defaultBackend` or `rules` must be specified'),
    defaultBackend !== undefined && backendErrors(defaultBackend, 'spec.defaultBackend'),
    (rules ?? []).flatMap((rule, index) => {
      const path = `spec.rules[${index}]`;
      const isTolerated = rule.host?.includes('*') === true && hadBadRule;
      return [...ruleHostErrors(rule.host ?? '', `${path}.host`), ...(isTolerated ? [] : ruleErrors(rule, path))];
    }),
    (tls ?? []).flatMap(({ hosts, secretName = '' }, index) =>
      those(
        (hosts ?? []).flatMap((host, position) => hostErrors(host, `spec.tls[${index}].hosts[${position}]`)),
        !hadBadSecret && invalidEach(`spec.tls[${index}].secretName`, secretName, secretNameProblems(secretName)),
      ),
    ),
    name !== undefined && dnsSubdomain(name, 'spec.ingressClassName'),
  );
}

function secretNameProblems(name: string): readonly string[] {
  return name === '' ? [] : dns1123SubdomainProblems(name);
}

function ruleHostErrors(host: string, path: string): Errors {
  if (host === '') return [];
  const isAddress = parseIp(host) !== undefined;
  return [...(isAddress ? [invalid(path, host, 'must be a DNS name, not an IP address')] : []), ...hostErrors(host, path)];
}

type Rule = NonNullable<IngressSpec['rules']>[number];

function ruleErrors({ http }: Rule, path: string): Errors {
  if (http === undefined) return [];
  const field = `${path}.http.paths`;
  // Missing in a protobuf body, null in JSON.
  const paths = (http.paths as readonly HTTPIngressPath[] | null | undefined) ?? [];
  if (paths.length === 0) return [required(field)];
  return paths.flatMap((item, index) => pathErrors(item, `${field}[${index}]`));
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const BAD_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const BAD_ENDS = ['/..', '/.'];

function pathErrors({ path: text = '', pathType, backend }: HTTPIngressPath, path: string): Errors {
  const type: string | undefined = pathType;
  if (type === undefined) return [required(`${path}.pathType`, 'pathType must be specified')];
  const field = `${path}.path`;
  const isRelative = !text.startsWith('/') && (text !== '' || type !== 'ImplementationSpecific');
  const errors: FieldError[] = PATH_TYPES.includes(type) ? [] : [notSupported(`${path}.pathType`, type, PATH_TYPES)];
  if (isRelative && PATH_TYPES.includes(type)) errors.push(invalid(field, text, 'must be an absolute path'));
  if (type === 'Exact' || type === 'Prefix') {
    for (const part of BAD_PARTS) if (text.includes(part)) errors.push(invalid(field, text, `must not contain '${part}'`));
    for (const end of BAD_ENDS) if (text.endsWith(end)) errors.push(invalid(field, text, `cannot end with '${end}'`));
  }
  return [...errors, ...backendErrors(backend, `${path}.backend`)];
}

function backendErrors({ resource, service }: IngressBackend, path: string): Errors {
  if (resource !== undefined && service !== undefined) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) return typedReferenceErrors(resource, `${path}.resource`);
  if (service === undefined) return [invalid(path, '', 'resource or service backend is required')];
  const { name, port = {} } = service;
  const { name: portName = '', number = 0 } = port;
  const nameErrors =
    name === '' ? [required(`${path}.service.name`)] : invalidEach(`${path}.service.name`, name, dns1123LabelProblems(name));
  if (portName !== '' && number !== 0) return [...nameErrors, invalid(path, '', 'cannot set both port name & port number')];
  if (portName !== '') return [...nameErrors, ...invalidEach(`${path}.service.port.name`, portName, portNameProblems(portName))];
  if (number !== 0) return [...nameErrors, ...portNumber(number, `${path}.service.port.number`)];
  return [...nameErrors, required(path, 'port name or number is required')];
}
