import type { CustomResourceModel, CustomResourceVersionModel } from 'keelson/internal/definition';
import { sentencesOf } from './field-sentences.js';
import { type Field, fieldsBelow, fieldTable } from './field-table.js';
import { code, section, table } from './markdown.js';

/** The page of one kind: every version with every field. */
export function kindPage(resource: CustomResourceModel): string {
  const { kind, group, plural, scope, shortNames, categories, versionList, storageVersion } = resource;
  const names = [`kubectl get ${plural}.${group}`, ...shortNames.map((name) => `kubectl get ${name}`)].map(code).join(', ');
  return [
    `# ${kind}`,
    table(
      ['', ''],
      [
        ['group', code(group)],
        ['scope', scope === 'Cluster' ? 'the cluster' : 'a namespace'],
        ['kubectl', names],
        ...(categories.length === 0 ? [] : [['categories', categories.map(code).join(', ')]]),
      ],
    ),
    ...section('## Versions', versionTable(resource)),
    ...section('### Fields that a conversion loses', lossTable(resource)),
    ...versionList.flatMap((version) => versionParts(version, version.name === storageVersion)),
  ].join('\n\n');
}

function versionTable({ versionList }: CustomResourceModel): string {
  return table(
    ['version', 'served', 'stored', 'notice'],
    versionList.map(({ name, served, storage, deprecated, deprecationWarning }) => [
      `[${code(name)}](#${name})`,
      served ? 'yes' : 'no',
      storage ? 'yes' : 'no',
      deprecated ? (deprecationWarning ?? 'deprecated') : '',
    ]),
  );
}

function lossTable({ conversions = {}, storageVersion }: CustomResourceModel): string {
  const rows = Object.entries(conversions).flatMap(([version, { lossy = {} }]) => [
    ...Object.entries(lossy.toStorage ?? {}).map(([path, why]) => [code(version), code(storageVersion), code(path), why]),
    ...Object.entries(lossy.fromStorage ?? {}).map(([path, why]) => [code(storageVersion), code(version), code(path), why]),
  ]);
  return table(['from', 'to', 'field', 'why'], rows);
}

function versionParts(
  { name, schema, columns, selectableFields, scale }: CustomResourceVersionModel,
  isStored: boolean,
): readonly string[] {
  const { spec, status, ...others } = schema.properties ?? {};
  const known = new Set(['apiVersion', 'kind', 'metadata']);
  const top = Object.entries(others).filter(([field]) => !known.has(field));
  const required = new Set(schema.required);
  const part = (field: string, from: typeof spec): readonly Field[] =>
    from === undefined ? [] : [{ path: field, schema: from, isRequired: required.has(field) }, ...fieldsBelow(field, from)];
  return [
    `## ${name}`,
    ...(isStored ? ['Objects are stored in this version.'] : []),
    ...sentencesOf(schema).map((sentence) => `- ${sentence}`),
    ...section('### Fields', fieldTable([...part('spec', spec), ...top.flatMap(([field, from]) => part(field, from))])),
    ...section('### Status', fieldTable(part('status', status))),
    ...section(
      '### Columns of kubectl get',
      table(
        ['column', 'shows', 'description'],
        columns.map(({ name: column, jsonPath, description = '', priority = 0 }) => [
          column,
          code(jsonPath),
          `${description}${priority > 0 ? ' With `-o wide` only.' : ''}`,
        ]),
      ),
    ),
    ...section(
      '### Fields to select by',
      selectableFields.map((path) => `- \`kubectl get --field-selector ${path.replace(/^\./, '')}=VALUE\``).join('\n'),
    ),
    ...(scale === undefined
      ? []
      : ['### Scale', `\`kubectl scale\` sets ${code(scale.specReplicasPath)}, and ${code(scale.statusReplicasPath)} shows the replicas.`]),
  ];
}
