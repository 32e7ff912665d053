/** A file that is imported. */
export const source = (text: string, name = 'crd.yaml') => ({ name, text });

/** A CRD with one version, whose schema has these properties under `spec`. */
export function crd(properties: string, { kind = 'Widget', extra = '' } = {}): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${kind.toLowerCase()}s.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { kind: ${kind}, plural: ${kind.toLowerCase()}s }
  versions:
    - name: v1
      served: true
      storage: true
      ${extra}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size, defaulted]
              properties: ${properties.replaceAll('\n', ' ')}
`;
}
