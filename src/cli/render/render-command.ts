import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { RehearsalError, UsageError } from '../errors.js';
import { readManifests } from '../manifests/index.js';
import { projectOperator } from '../rehearsal/index.js';
import type { Terminal } from '../terminal.js';
import { timeoutIn } from '../timeout.js';
import { RENDER } from '../usage/index.js';
import { type Rendered, render } from './render.js';

/** `keelson render`. @throws RehearsalError when an object could not be rendered; the children of the others are written by then */
export async function runRender(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: RENDER.options, allowPositionals: true });
  const { output } = values;
  if (output !== 'yaml' && output !== 'json') throw new UsageError(`keelson render: --output ${output}: is not known; choose yaml or json`);
  if (positionals.length === 0)
    throw new UsageError('keelson render: no file given; pass a custom resource in YAML, or - for standard input');
  const timeoutMs = timeoutIn('render', values.timeout);
  const operator = await projectOperator('render', values.operator, terminal.directory);
  const [objects, definitions] = [await readManifests(positionals, terminal), await readManifests(values.crds ?? [], terminal)];
  const rendered = await render({
    operator,
    objects: objects.found,
    definitions: definitions.found,
    playsPods: values['until-rest'],
    environment: process.env,
    timeoutMs,
    onProgress: terminal.progress,
  });
  terminal.progress?.('');
  terminal.out(textOf(rendered, output));
  const failures = [
    ...[...objects.unread, ...definitions.unread].map(({ place, problem }) => `${place}: ${problem}`),
    ...rendered.refused.map(({ place, message }) => `${place}: ${message}`),
    ...rendered.problems.map(({ subject, reason, message }) =>
      reason === 'withheld'
        ? `${subject}: needs ${message}, which is outside and is not called: what follows is known afterwards`
        : `${subject}: ${message}`,
    ),
  ];
  if (failures.length > 0) throw new RehearsalError(failures.map((failure) => `keelson render: ${failure}`).join('\n'));
}

function textOf({ children }: Rendered, output: 'json' | 'yaml'): string {
  if (output === 'json') return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: children }, undefined, 2)}\n`;
  return children.map((child) => stringify(child, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');
}
