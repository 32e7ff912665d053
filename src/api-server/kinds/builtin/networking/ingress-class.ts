import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  forbidden,
  notSupported,
  pathSegmentProblems,
  required,
  tooLong,
} from '@keelson/kubernetes/apimachinery';
import type { Behaviour } from '../behaviour.js';
import { declaredErrors, domainPathErrors, type Errors, immutable, invalidEach, those } from '../checks/index.js';
import type { IngressClass, IngressClassSpec } from '../drafts.js';
import { beginGenerations, countChangedSpec } from '../generation.js';

const MAX_CONTROLLER = 250;
const SCOPES = ['Cluster', 'Namespace'];

/** Source: kubernetes `pkg/registry/networking/ingressclass`, `pkg/apis/networking/{v1,validation}`. */
export const ingressClasses: Behaviour<IngressClass> = {
  setDefaults({ spec }) {
    if (spec?.parameters !== undefined) spec.parameters.scope ??= 'Cluster';
  },
  prepareForCreate: beginGenerations,
  validate: ({ spec }) => specErrors(spec ?? {}),
  prepareForUpdate: countChangedSpec,
  validateUpdate: ({ spec }, old) => [
    ...immutable(spec?.controller ?? '', old.spec?.controller ?? '', 'spec.controller'),
    ...specErrors(spec ?? {}),
  ],
  revalidatesMetadata: true,
};

function specErrors({ controller = '', parameters }: IngressClassSpec): Errors {
  return those(
    controller.length > MAX_CONTROLLER && tooLong('spec.controller', MAX_CONTROLLER),
    domainPathErrors(controller, 'spec.controller'),
    parameters !== undefined && parameterErrors(parameters, 'spec.parameters'),
  );
}

function parameterErrors(parameters: NonNullable<IngressClassSpec['parameters']>, path: string): Errors {
  const { scope, namespace } = parameters;
  const errors = typedReferenceErrors(parameters, path, declaredErrors);
  if (scope === undefined) return [...errors, required(`${path}.scope`)];
  if (!SCOPES.includes(scope)) return [...errors, notSupported(`${path}.scope`, scope, SCOPES)];
  const field = `${path}.namespace`;
  if (scope === 'Cluster')
    return namespace === undefined ? errors : [...errors, forbidden(field, "`parameters.scope` is set to 'Cluster'")];
  if (namespace === undefined) return [...errors, required(field, "`parameters.scope` is set to 'Namespace'")];
  return [...errors, ...invalidEach(field, namespace, dns1123LabelProblems(namespace))];
}

/** Also of the backends of Ingresses, of which nothing is declared. */
export function typedReferenceErrors(
  { apiGroup, kind, name }: { readonly apiGroup?: string | null | undefined; readonly kind: string; readonly name: string },
  path: string,
  missing: (errors: Errors) => Errors = (errors) => errors,
): Errors {
  const segment = (text: string, field: string): Errors =>
    text === '' ? missing([required(field)]) : invalidEach(field, text, pathSegmentProblems(text));
  return those(
    !(apiGroup === undefined || apiGroup === null) && invalidEach(`${path}.apiGroup`, apiGroup, dns1123SubdomainProblems(apiGroup)),
    segment(kind, `${path}.kind`),
    segment(name, `${path}.name`),
  );
}
