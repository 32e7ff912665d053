import type { KindInfo } from '@keelson/kubernetes/apimachinery';
import type { ControllerModel, OperatorModel } from 'keelson/internal/definition';

/** A picture of an operator for Mermaid: what each controller reconciles, owns, watches and reads, and what calls its webhooks. */
export function operatorGraph(operator: OperatorModel): string {
  const graph = new Graph();
  for (const controller of operator.controllers) addController(graph, controller);
  for (const { name, kinds, type } of operator.webhooks) {
    const webhook = graph.node(`webhook ${name}`, `${name}`, ['([', '])']);
    for (const kind of kinds) graph.edge(graph.kind(kind), webhook, type === 'mutating' ? 'is changed by' : 'is checked by');
  }
  return ['flowchart LR', ...graph.lines].join('\n');
}

function addController(graph: Graph, { name, for: kind, owns, watches, reads, uses, observes }: ControllerModel): void {
  const controller = graph.node(`controller ${name}`, name, ['{{', '}}']);
  graph.edge(graph.kind(kind), controller, 'is reconciled by');
  for (const [handle, { kind: owned }] of Object.entries(owns)) graph.edge(controller, graph.kind(owned), `owns ${handle}`);
  for (const [handle, { kind: watched }] of Object.entries(watches)) graph.edge(graph.kind(watched), controller, `is watched as ${handle}`);
  for (const [handle, { kind: read }] of Object.entries(reads)) graph.edge(controller, graph.kind(read), `reads ${handle}`, '-.->');
  const outside = [...Object.entries(uses).filter(([, { sort }]) => sort === 'external'), ...Object.entries(observes)];
  for (const [external] of outside) graph.edge(controller, graph.node(`external ${external}`, external, ['[/', '/]']), 'calls', '-.->');
}

/** Nodes and edges, each once. */
class Graph {
  readonly #ids = new Map<string, string>();
  readonly #lines = new Set<string>();

  get lines(): readonly string[] {
    return [...this.#lines];
  }

  kind({ kind, group }: KindInfo): string {
    return this.node(`kind ${kind}.${group}`, kind, ['[', ']']);
  }

  node(key: string, label: string, [open, close]: readonly [string, string]): string {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = `n${this.#ids.size + 1}`;
    this.#ids.set(key, id);
    this.#lines.add(`  ${id}${open}"${label.replaceAll('"', "'")}"${close}`);
    return id;
  }

  edge(from: string, to: string, label: string, arrow = '-->'): void {
    this.#lines.add(`  ${from} ${arrow}|"${label.replaceAll('"', "'")}"| ${to}`);
  }
}
