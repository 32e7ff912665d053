import type { PackageModel } from '../package/index.js';

/** @param obstacles fields that name the namespace where a transformer does not reach, by folder */
export function readmeText(model: PackageModel, obstacles: ReadonlyMap<string, string>): string {
  const { name, version, namespace, description = '' } = model;
  const overlays = Object.entries(model.overlays(namespace));
  const rows = overlays.map(([overlay, values]) => `| \`overlays/${overlay}\` | \`${JSON.stringify(values)}\` |`);
  const fixed = [...obstacles].map(([folder, field]) => `- \`${folder}\` is bound to the namespace ${namespace} by ${field}.`);
  return `# ${name}

${description === '' ? '' : `${description}\n\n`}\`\`\`sh
kubectl create namespace ${namespace}
kubectl apply --server-side -k base
\`\`\`

Version ${version}. The base is the plain manifests of the operator.
${rows.length === 0 ? '' : `\n| overlay | values |\n|---|---|\n${rows.join('\n')}\n`}
Patches and \`images\`, \`replicas\`, \`labels\` go into a kustomization of your own, beside this folder: this one is written anew with each version.
For another namespace, name the transformer too, which carries it into texts such as DNS names:

\`\`\`yaml
namespace: elsewhere
resources: [${name}/base]
transformers: [${name}/base/follow-namespace]
\`\`\`
${fixed.length === 0 ? '' : `\n${fixed.join('\n')}\n`}`;
}
