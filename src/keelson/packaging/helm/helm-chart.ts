import { stringify } from 'yaml';
import { PackageError } from '../errors.js';
import { objectFileName } from '../object-file-name.js';
import { modelOf, type Package, type PackageModel } from '../package/index.js';
import type { PackageFile } from '../package-file.js';
import { inferTemplates, type Template, withLiterals } from '../template/index.js';
import { refusalsText } from './refusals.js';
import { releaseWarning } from './release-size.js';
import { templateText } from './template-text.js';
import { valuesSchemaText, valuesTable, valuesText } from './values-files.js';

/**
 * The files of a Helm chart, in the order of their paths.
 *
 * @example
 * ```ts
 * for (const { path } of helmChart(memcachedPackage)) console.log(path); // Chart.yaml, README.md, templates/...
 * ```
 *
 * A release that does not fit into Helm's Secret is a warning of the process (`KEELSON_HELM_RELEASE`).
 *
 * @throws PackageError if the default values are refused, or a value is used in a way that a template cannot repeat
 */
export function helmChart(source: Package): readonly PackageFile[] {
  const model = modelOf(source);
  const files = model.parts === undefined ? chartFiles(model) : setFiles(model, model.parts);
  const warning = releaseWarning(model.name, files);
  if (warning !== undefined) process.emitWarning(warning, { type: 'KeelsonWarning', code: 'KEELSON_HELM_RELEASE' });
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function chartFiles(model: PackageModel): PackageFile[] {
  const {
    objects,
    refusals: rules,
    variables,
  } = inferTemplates({
    values: model.values,
    facts: model.facts,
    synthesize: (values, fact) => model.synthesize(values, fact, 'helm'),
  });
  const refusals = refusalsText(rules, variables, model.facts);
  return [
    ...headFiles(model),
    { path: 'templates/_helpers.tpl', text: helpersText(model) },
    ...(refusals === undefined ? [] : [{ path: 'templates/refusals.yaml', text: refusals }]),
    ...templateFiles(objects, model),
  ];
}

/** A chart whose parts are subcharts. Each is learned by itself, and can be installed by itself. */
function setFiles(model: PackageModel, parts: ReadonlyMap<string, PackageModel>): PackageFile[] {
  const subcharts = [...new Set(parts.values())].flatMap((part) =>
    chartFiles(part).map(({ path, text }) => ({ path: `charts/${part.name}/${path}`, text })),
  );
  return [...headFiles(model), ...subcharts];
}

function headFiles(model: PackageModel): PackageFile[] {
  return [
    { path: 'Chart.yaml', text: chartText(model) },
    { path: 'values.yaml', text: valuesText(model.values) },
    { path: 'values.schema.json', text: valuesSchemaText(model.values, model.parts?.keys()) },
    { path: 'README.md', text: readmeText(model) },
    { path: '.helmignore', text: '.git/\n*.tgz\n*.orig\n*~\n' },
    { path: 'templates/NOTES.txt', text: model.notes ?? NOTES },
  ];
}

const NOTES = '{{ .Chart.Name }} {{ .Chart.AppVersion }} is installed in the namespace {{ .Release.Namespace }}.\n';

function chartText({ name, version, appVersion = version, description = `Installs ${name}`, ...rest }: PackageModel): string {
  const { kubeVersion, icon, home, sources, keywords, maintainers, annotations, parts } = rest;
  const dependencies = [...(parts ?? [])].map(([alias, part]) => ({
    name: part.name,
    version: part.version,
    repository: '',
    alias,
    condition: `${alias}.enabled`,
  }));
  return stringify(
    {
      apiVersion: 'v2',
      name,
      version,
      appVersion,
      description,
      type: 'application',
      kubeVersion,
      icon,
      home,
      sources,
      keywords,
      maintainers,
      annotations,
      dependencies: dependencies.length === 0 ? undefined : dependencies,
    },
    { version: '1.1', lineWidth: 0, keepUndefined: false },
  );
}

function helpersText({ name, helpers }: PackageModel): string {
  return `{{- define "${name}.chart" -}}\n{{- printf "${name}-%s" .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" -}}\n{{- end }}\n${helpers}`;
}

/** A file for each object, named after its construct. */
function templateFiles(objects: ReadonlyMap<string, Template>, { facts, complete }: PackageModel): PackageFile[] {
  const taken = new Map<string, string>();
  return [...objects].map(([key, template]) => {
    const path = `templates/${objectFileName(key)}.yaml`;
    const other = taken.get(path);
    if (other !== undefined)
      throw new PackageError(`${key} and ${other} would be written to the same file, ${path}; give the constructs other ids`);
    taken.set(path, key);
    return { path, text: templateText(withLiterals(template, complete), facts) };
  });
}

function readmeText(model: PackageModel): string {
  const { name, version, namespace, description = '', values } = model;
  return `# ${name}

${description === '' ? '' : `${description}\n\n`}\`\`\`sh
helm install ${name} . --namespace ${namespace} --create-namespace
\`\`\`

Version ${version}. With its default values the chart writes the same objects as the plain manifests, with labels of Helm.
${model.parts === undefined ? '' : partsText(model.parts)}${values.leaves.length === 0 ? '' : `\n## Values\n\n${valuesTable(values)}\n`}`;
}

function partsText(parts: ReadonlyMap<string, PackageModel>): string {
  const rows = [...parts].map(
    ([part, { name, version, description = '' }]) => `| \`${part}\` | ${name} ${version} | ${description.replaceAll('|', '\\|')} |`,
  );
  return `\n## Parts\n\nEach is left out with \`<part>.enabled: false\`.\n\n${['| part | chart | |', '|---|---|---|', ...rows].join('\n')}\n`;
}
