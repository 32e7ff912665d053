import { stringify } from 'yaml';

interface CrdParts {
  readonly kind?: string;
  readonly spec?: object;
  readonly version?: object;
  readonly beside?: object;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A CRD as controller-gen writes it, with what a test is about. */
export function gadgetCrd({ kind = 'Gadget', spec = {}, version = {}, beside = {}, annotations }: CrdParts): string {
  const plural = `${kind.toLowerCase()}s`;
  return stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.shop.example.com`, ...(annotations && { annotations }) },
    spec: {
      group: 'shop.example.com',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              required: ['spec'],
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                spec: { type: 'object', properties: spec },
              },
            },
          },
          ...version,
        },
      ],
      ...beside,
    },
  });
}
