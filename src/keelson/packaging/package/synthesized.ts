import { isRecord, type Json, messageOf, OperatorError } from '@keelson/kubernetes/apimachinery';
import { App, Chart } from 'cdk8s';
import { SHOWN_WARNINGS_CONTEXT } from '../../constructs/index.js';
import type { Synthesized } from '../template/index.js';

const MANAGED_BY = 'app.kubernetes.io/managed-by';

/** The labels of Helm's conventions; those of pods say nothing about the chart, so that a new chart does not restart them. */
export function labelled(object: Json, fact: (name: string) => string): Json {
  const { metadata, ...rest } = object as { readonly metadata: { readonly labels?: Readonly<Record<string, string>> } };
  const labels = { ...metadata.labels, [MANAGED_BY]: fact('service'), 'helm.sh/chart': fact('chart') };
  return { ...managedBy(rest, fact('service')), metadata: { ...metadata, labels } } as unknown as Json;
}

function managedBy(node: object, service: string): object {
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === 'labels' && isRecord(value) && value[MANAGED_BY] === 'cdk8s') return [key, { ...value, [MANAGED_BY]: service }];
      return [key, (key === 'spec' || key === 'template' || key === 'metadata') && isRecord(value) ? managedBy(value, service) : value];
    }),
  );
}

/** A package is synthesized hundreds of times, to learn its templates: each warning is shown once. */
const TOLD = new Set<string>();

/** Refusals are written without the construct's path, which means nothing to an administrator. */
export function synthesized(
  build: (chart: Chart) => void,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Synthesized {
  try {
    const app = new App();
    app.node.setContext(SHOWN_WARNINGS_CONTEXT, TOLD);
    const chart = new Chart(app, name, { namespace });
    build(chart);
    const problem = chart.node.findAll().flatMap((construct) => construct.node.validate())[0] ?? chart.node.root.node.validate()[0];
    if (problem !== undefined) return { refusal: problem };
    const objects = chart.node.findAll().filter((construct) => 'apiGroup' in construct && 'toJson' in construct);
    return {
      objects: new Map(
        objects.map((object) => [object.node.path.slice(name.length + 1), (object as unknown as { toJson(): Json }).toJson()]),
      ),
    };
  } catch (error) {
    if (!OperatorError.isOperatorError(error)) throw error;
    return { refusal: messageOf(error).replace(/^[^ ]*: /, '') };
  }
}
