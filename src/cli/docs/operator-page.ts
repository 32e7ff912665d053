import { nameInGroup } from '@keelson/kubernetes/apimachinery';
import { metricModelsOf, type OperatorModel, permissionsTable, settingsTable } from 'keelson/internal/definition';
import { code, section, table } from './markdown.js';
import { operatorGraph } from './operator-graph.js';

/** The page of an operator, which leads to those of its kinds. */
export function operatorPage(operator: OperatorModel): string {
  return [
    `# ${operator.name}`,
    ...section('## Kinds', kindTable(operator)),
    '## Overview',
    `\`\`\`mermaid\n${operatorGraph(operator)}\n\`\`\``,
    ...section('## Controllers', controllerTable(operator)),
    ...section('## Annotations', annotationTable(operator)),
    ...section('## Webhooks', webhookTable(operator)),
    ...section('## Policies', policyTable(operator)),
    ...section('## Settings', settingsTable(operator)),
    ...section('## Metrics', metricTable(operator)),
    '## Rights',
    `\`\`\`text\n${permissionsTable(operator)}\n\`\`\``,
  ].join('\n\n');
}

function kindTable({ customResources }: OperatorModel): string {
  return table(
    ['kind', 'versions', 'scope'],
    customResources.map((resource) => [
      `[${resource.kind}](${nameInGroup(resource.plural, resource.group)}.md)`,
      resource.versionList.map(({ name }) => code(name)).join(', '),
      resource.scope === 'Cluster' ? 'the cluster' : 'a namespace',
    ]),
  );
}

function controllerTable({ controllers }: OperatorModel): string {
  const named = (handles: Readonly<Record<string, { readonly kind: { readonly kind: string } }>>): string =>
    Object.entries(handles)
      .map(([handle, { kind }]) => `${kind.kind} (${code(handle)})`)
      .join(', ');
  return table(
    ['controller', 'reconciles', 'owns', 'watches', 'reads', 'finalizer'],
    controllers.map(({ name, for: kind, owns, watches, reads, finalizer }) => [
      code(name),
      kind.kind,
      named(owns),
      named(watches),
      named(reads),
      finalizer === undefined ? '' : code(finalizer),
    ]),
  );
}

const ANNOTATIONS: Readonly<Record<string, string>> = {
  paused: 'pauses the object, with any value but `false`',
  mode: 'with `observe`: runs show what they would write, and write nothing',
  deletion: 'with `orphan`: the children stay when the object is deleted',
  reconcile: 'asks for a run, with any new value',
};

function annotationTable({ controllers }: OperatorModel): string {
  const rows = controllers.flatMap(({ for: kind, annotations = {} }) =>
    Object.entries(annotations).flatMap(([verb, name]) =>
      typeof name === 'string' && ANNOTATIONS[verb] !== undefined ? [[code(name), kind.kind, ANNOTATIONS[verb]]] : [],
    ),
  );
  return table(['annotation', 'of', 'does'], unique(rows));
}

function webhookTable({ webhooks }: OperatorModel): string {
  return table(
    ['webhook', 'does', 'kinds', 'operations', 'when it does not answer', 'timeout'],
    webhooks.map(({ name, type, kinds, subresource, operations, failurePolicy, timeoutSeconds }) => [
      code(name),
      type === 'mutating' ? 'changes' : 'checks',
      kinds.map(({ kind }) => (subresource === undefined ? kind : `${kind}/${subresource}`)).join(', '),
      operations.join(', '),
      failurePolicy === 'Fail' ? 'the request is refused' : 'the request goes on',
      `${timeoutSeconds} s`,
    ]),
  );
}

function policyTable({ policies, mutatingPolicies = [] }: OperatorModel): string {
  return table(
    ['policy', 'does', 'kind'],
    [
      ...policies.map(({ name, kind }) => [code(name), 'checks', kind.kind]),
      ...mutatingPolicies.map(({ name, kind }) => [code(name), 'changes', kind.kind]),
    ],
  );
}

function metricTable(operator: OperatorModel): string {
  return table(
    ['metric', 'type', 'labels', 'description'],
    metricModelsOf(operator).map(({ name, type, labels, help }) => [code(name), type, labels.map(code).join(', '), help]),
  );
}

function unique(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(rows.map((row) => [row.join('\n'), row])).values()];
}
