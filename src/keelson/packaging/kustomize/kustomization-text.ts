import { yamlText } from '../yaml-text.js';

interface Kustomization {
  readonly resources: readonly string[];
  readonly patches?: readonly object[];
  readonly openapi?: { readonly path: string };
}

export function kustomizationText({ resources, patches = [], openapi }: Kustomization): string {
  return yamlText({
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources,
    ...(patches.length === 0 ? {} : { patches }),
    ...(openapi === undefined ? {} : { openapi }),
  });
}
