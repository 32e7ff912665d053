import { z } from 'zod';
import { CustomResourceDefinition, conversionTargetOf, installationOf } from '../../constructs/index.js';
import type { OperatorModel } from '../../definition/index.js';
import { type Package, type PackageMetadata, packageOf } from '../package/index.js';
import { type CertificateValues, certificatesFrom, certificateValues } from './certificate-values.js';
import { marked, withSchemas } from './large-schemas.js';

/** Values of the chart of an operator's CustomResourceDefinitions. */
export interface CrdValues {
  readonly keep: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  /** Where versions are converted, for CustomResourceDefinitions with such. */
  readonly operator: { readonly name: string; readonly namespace: string };
  readonly certificates: CertificateValues;
}

interface CrdsOf extends PackageMetadata {
  readonly operator: OperatorModel;
  /** Name of the operator's package. */
  readonly name: string;
  readonly version: string;
  readonly namespace: string;
}

/** The package of an operator's CustomResourceDefinitions alone: it is installed before the operator, and outlives it. */
export function crdsPackage({ operator, name, description, ...rest }: CrdsOf): Package<CrdValues> {
  const kinds = operator.customResources.map(({ plural, group }) => `${plural}.${group}`);
  const areConverted = operator.customResources.some(({ conversions }) => conversions !== undefined);
  const values = z.object({
    keep: z
      .boolean()
      .default(true)
      .describe('Keeps the CustomResourceDefinitions, and with them all objects, when the release is uninstalled.'),
    annotations: z
      .record(z.string(), z.string())
      .default({})
      .describe('More annotations of the CustomResourceDefinitions, for example for the order of a GitOps tool.'),
    ...(areConverted ? conversionValues(name) : {}),
  });
  return packageOf(
    {
      ...rest,
      name: `${name}-crds`,
      description: `CustomResourceDefinitions of ${description ?? name}`,
      notes: notesOf(kinds),
      values: values as unknown as z.ZodObject,
      build: (chart, context) => {
        const given = context.values as unknown as CrdValues;
        const keep = context.format === 'helm' && given.keep ? { 'helm.sh/resource-policy': 'keep' } : {};
        const { name: installedAs, namespace } = given.operator ?? { name, namespace: '' };
        const installation = installationOf(chart, {
          operator,
          name: installedAs,
          namespace: namespace === '' ? context.release.namespace : namespace,
          certificates: areConverted ? certificatesFrom(given.certificates) : undefined,
        });
        for (const definition of operator.customResources) {
          new CustomResourceDefinition(chart, `${definition.plural}.${definition.group}`, {
            definition: context.format === 'helm' ? marked(definition) : definition,
            metadata: { labels: installation.labels, annotations: { ...keep, ...given.annotations } },
            ...(definition.conversions === undefined
              ? {}
              : { conversionWebhook: conversionTargetOf(installation), caInjection: installation.certificates?.caInjection }),
          });
        }
      },
    },
    { complete: withSchemas(operator.customResources) },
  ) as Package<never> as Package<CrdValues>;
}

function conversionValues(name: string): Readonly<Record<string, z.ZodType>> {
  return {
    operator: z.object({
      name: z
        .string()
        .min(1)
        .default(name)
        .describe("Name of the operator's release, or its fullnameOverride: versions are converted there."),
      namespace: z.string().default('').describe('Its namespace. Default: that of this release.'),
    }),
    ...certificateValues(),
  };
}

function notesOf(kinds: readonly string[]): string {
  return (
    '{{ .Chart.Name }} {{ .Chart.AppVersion }} is installed.\n' +
    '{{- if .Values.keep }}\n\nhelm uninstall keeps the CustomResourceDefinitions and all objects of these kinds. To remove them too, first delete the\n' +
    `objects while the operator still runs, uninstall, and then:\n\n  kubectl delete crd ${kinds.join(' ')}\n{{- end }}\n`
  );
}
