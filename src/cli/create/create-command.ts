import { parseArgs } from 'node:util';
import { UsageError } from '../errors.js';
import { writeNewFiles } from '../scaffold/index.js';
import type { Terminal } from '../terminal.js';
import { type Addition, reportOf } from './additions.js';
import { controllerAddition } from './create-controller.js';
import { kindAddition } from './create-kind.js';
import { webhookAddition } from './create-webhook.js';
import { type FoundProject, findProject } from './found-project.js';

const USAGE = `Usage: keelson create kind KIND [options]
       keelson create controller NAME --for KIND
       keelson create webhook KIND

Adds files to the project in this folder, each with its test. No file that is there is changed. The
command shows the lines to add to src/operator.ts.

  kind KIND            a custom resource with its children and its controller
  controller NAME      one more controller for a kind of the project
  webhook KIND         a defaulting and a validating webhook for a kind of the project

Options:
  -g, --group GROUP      kind: the API group (default: that of the project's kinds)
      --version VERSION  kind: its version (default: v1alpha1)
      --webhooks         kind: with a defaulting and a validating webhook
      --for KIND         controller: the kind that it is for
  -h, --help             show this text

Example:
  keelson create kind Gadget --webhooks
`;

const OPTIONS = {
  group: { type: 'string', short: 'g' },
  version: { type: 'string' },
  webhooks: { type: 'boolean' },
  for: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

interface Values {
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly webhooks?: boolean | undefined;
  readonly for?: string | undefined;
}

interface Creation {
  /** The word for its name in messages. */
  readonly named: string;
  /** Options that it has; others are refused, as they would say nothing. */
  readonly options: readonly (keyof Values)[];
  readonly create: (name: string, values: Values, project: FoundProject) => Addition;
}

const CREATIONS: Readonly<Record<string, Creation>> = {
  kind: {
    named: 'KIND',
    options: ['group', 'version', 'webhooks'],
    create: (kind, { group, version = 'v1alpha1', webhooks = false }, project) => kindAddition({ kind, group, version, webhooks }, project),
  },
  controller: { named: 'NAME', options: ['for'], create: (name, values, project) => controllerAddition(name, values.for, project) },
  webhook: { named: 'KIND', options: [], create: (kind, _values, project) => webhookAddition(kind, project) },
};

/** `keelson create`. Everything is checked before the first file is written. */
export async function runCreate(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  if (values.help) return terminal.out(USAGE);
  const [what, name, ...more] = positionals;
  const { named, options, create } = creationOf(what);
  if (name === undefined)
    throw new UsageError(
      `keelson create ${what}: ${named} is not given; for example: keelson create ${what} ${named === 'KIND' ? 'Gadget' : 'backup --for Gadget'}`,
    );
  if (more.length > 0) throw new UsageError(`keelson create ${what}: one ${named} is expected, got ${[name, ...more].join(' ')}`);
  const foreign = (['group', 'version', 'webhooks', 'for'] as const).filter(
    (option) => values[option] !== undefined && !options.includes(option),
  );
  if (foreign.length > 0) throw new UsageError(`keelson create ${what}: --${foreign.join(', --')}: not an option of ${what}`);
  const addition = create(name, values, await findProject(terminal.directory));
  await writeNewFiles(terminal.directory, addition.files, '.');
  terminal.out(reportOf(addition));
}

function creationOf(what: string | undefined): Creation {
  const creation = what !== undefined && Object.hasOwn(CREATIONS, what) ? CREATIONS[what] : undefined;
  if (creation !== undefined) return creation;
  const problem = what === undefined ? 'not said what is created' : `${what}: cannot be created`;
  throw new UsageError(`keelson create: ${problem}; choose ${Object.keys(CREATIONS).join(', ')}`);
}
