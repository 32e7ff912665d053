import { UsageError } from '../errors.js';
import { groupProblem, importLines, kindFile, kindNames, kindProblem, kindTestFile, versionProblem } from '../scaffold/index.js';
import { type Addition, inOperator } from './additions.js';
import { type FoundProject, SOURCES } from './found-project.js';

export interface KindOptions {
  readonly kind: string;
  readonly group: string | undefined;
  readonly version: string;
  readonly webhooks: boolean;
}

/** @throws UsageError for a name that cannot be, or a group that is not known */
export function kindAddition({ kind, group: given, version, webhooks }: KindOptions, { groups, runner }: FoundProject): Addition {
  refuse('kind', kind, kindProblem(kind));
  const group = given ?? onlyGroup(groups);
  refuse('--group', group, groupProblem(group));
  refuse('--version', version, versionProblem(version));
  const names = kindNames(kind);
  const { file, variable } = names;
  const options = { ...names, group, version, webhooks, runner };
  const controller = `${variable}Controller`;
  const hooks = webhooks ? [`${variable}Defaults`, `${variable}Checks`] : [];
  return inOperator({
    files: [
      { path: `${SOURCES}/${file}.ts`, text: kindFile(options) },
      { path: `${SOURCES}/${file}.test.ts`, text: kindTestFile(options) },
    ],
    imports: importLines({ [`./${file}.js`]: [controller, ...hooks] }),
    entries: [{ list: 'controllers', names: [controller] }, ...(webhooks ? [{ list: 'webhooks' as const, names: hooks }] : [])],
  });
}

function onlyGroup(groups: readonly string[]): string {
  const [group] = groups;
  if (groups.length === 1 && group !== undefined) return group;
  const found = groups.length === 0 ? `no kind in ${SOURCES} has one` : `the kinds in ${SOURCES} have ${groups.join(', ')}`;
  throw new UsageError(`keelson create: --group: not given, and ${found}; give the group of the new kind`);
}

function refuse(flag: string, value: string, problem: string | undefined): void {
  if (problem !== undefined) throw new UsageError(`keelson create: ${flag} ${value}: ${problem}`);
}
