import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DocsError, UsageError } from '../errors.js';
import { projectOperator } from '../rehearsal/index.js';
import type { Terminal } from '../terminal.js';
import { DOCS, GRAPH } from '../usage/index.js';
import { operatorGraph } from './operator-graph.js';
import { PageFolder } from './page-folder.js';
import { pagesOf } from './pages.js';

/** `keelson docs`. @throws DocsError when a page is out of date and `--check` is given, and when a page was not generated */
export async function runDocs(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: DOCS.options, allowPositionals: true });
  refuseOperands('docs', positionals);
  const pages = pagesOf(await projectOperator('docs', values.operator, terminal.directory));
  const folder = await PageFolder.at(resolve(terminal.directory, values.out), values.out);
  if (values.check) {
    const problems = folder.problems(pages);
    if (problems.length > 0)
      throw new DocsError(`${problems.join('\n')}\nkeelson docs: the pages are out of date; run keelson docs, and commit them`);
    return;
  }
  for (const path of await folder.write(pages)) terminal.out(`${join(values.out, path)}\n`);
}

/** `keelson graph`. */
export async function runGraph(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: GRAPH.options, allowPositionals: true });
  refuseOperands('graph', positionals);
  terminal.out(`${operatorGraph(await projectOperator('graph', values.operator, terminal.directory))}\n`);
}

function refuseOperands(command: string, positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`keelson ${command}: it takes no operand, got ${positionals.join(' ')}`);
}
