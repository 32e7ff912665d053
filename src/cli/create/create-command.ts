import { parseArgs } from 'node:util';
import { UsageError } from '../errors.js';
import { writeNewFiles } from '../scaffold/index.js';
import type { Terminal } from '../terminal.js';
import { CREATE } from '../usage/index.js';
import { type Addition, reportOf } from './additions.js';
import { controllerAddition } from './create-controller.js';
import { kindAddition } from './create-kind.js';
import { webhookAddition } from './create-webhook.js';
import { type FoundProject, findProject } from './found-project.js';

interface Values {
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly webhooks?: boolean | undefined;
  readonly for?: string | undefined;
  readonly kind?: string | undefined;
  readonly storage?: boolean | undefined;
}

interface Creation {
  /** The word for its name in messages. */
  readonly named: string;
  /** Options that it has; others are refused, as they would say nothing. */
  readonly options: readonly (keyof Values)[];
  /** A command line that is right, for messages. */
  readonly example: string;
  readonly create: (name: string, values: Values, project: FoundProject, terminal: Terminal) => Addition | Promise<Addition>;
}

const CREATIONS: Readonly<Record<string, Creation>> = {
  kind: {
    named: 'KIND',
    options: ['group', 'version', 'webhooks'],
    example: 'Gadget',
    create: (kind, { group, version = 'v1alpha1', webhooks = false }, project) => kindAddition({ kind, group, version, webhooks }, project),
  },
  controller: {
    named: 'NAME',
    options: ['for'],
    example: 'backup --for Gadget',
    create: (name, values, project, { directory }) => controllerAddition(name, values.for, { project, directory }),
  },
  webhook: { named: 'KIND', options: [], example: 'Gadget', create: (kind, _values, project) => webhookAddition(kind, project) },
  version: {
    named: 'VERSION',
    options: ['kind', 'storage'],
    example: 'v1beta1',
    create: async (version, { kind, storage = false }, project, terminal) => {
      const { versionAddition } = await import('./create-version.js');
      return versionAddition({ version, kind, isStorage: storage }, project, terminal);
    },
  },
};

/** `keelson create`. Everything is checked before the first file is written. */
export async function runCreate(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: CREATE.options, allowPositionals: true });
  const [what, name, ...more] = positionals;
  const { named, options, example, create } = creationOf(what);
  if (name === undefined)
    throw new UsageError(`keelson create ${what}: ${named} is not given; for example: keelson create ${what} ${example}`);
  if (more.length > 0) throw new UsageError(`keelson create ${what}: one ${named} is expected, got ${[name, ...more].join(' ')}`);
  const foreign = (['group', 'version', 'webhooks', 'for', 'kind', 'storage'] as const).filter(
    (option) => values[option] !== undefined && !options.includes(option),
  );
  if (foreign.length > 0) throw new UsageError(`keelson create ${what}: --${foreign.join(', --')}: not an option of ${what}`);
  const addition = await create(name, values, await findProject(terminal.directory), terminal);
  await writeNewFiles(terminal.directory, addition.files, '.');
  terminal.out(reportOf(addition));
}

function creationOf(what: string | undefined): Creation {
  const creation = what !== undefined && Object.hasOwn(CREATIONS, what) ? CREATIONS[what] : undefined;
  if (creation !== undefined) return creation;
  const problem = what === undefined ? 'nothing to create is named' : `${what}: cannot be created`;
  throw new UsageError(`keelson create: ${problem}; choose ${Object.keys(CREATIONS).join(', ')}`);
}
