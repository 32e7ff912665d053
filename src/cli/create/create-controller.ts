import { DNS_1035_LABEL, obeys } from '../../kubernetes/index.js';
import { UsageError } from '../errors.js';
import { camelCase, controllerFile, controllerTestFile, importLines } from '../scaffold/index.js';
import type { Addition } from './additions.js';
import { type FoundProject, SOURCES } from './found-project.js';
import { fileOfKind } from './project-kind.js';

/** The longest name that still leaves room for the object's own in the name of a child. */
const LONGEST_NAME = 40;

/** @throws UsageError for a name that cannot be, ScaffoldError for a kind that the project does not have */
export function controllerAddition(name: string, kind: string | undefined, project: FoundProject): Addition {
  if (!obeys({ ...DNS_1035_LABEL, maxLength: LONGEST_NAME }, name))
    throw new UsageError(`keelson create controller ${name}: must be ${DNS_1035_LABEL.says}, and have at most ${LONGEST_NAME} characters`);
  if (kind === undefined) throw new UsageError(`keelson create controller ${name}: --for is not given; name a kind of the project`);
  const { name: kindModule } = fileOfKind(kind, project);
  const file = `${name}-controller`;
  const options = { name, variable: `${camelCase(name)}Controller`, file, kind, kindModule, runner: project.runner };
  return {
    files: [
      { path: `${SOURCES}/${file}.ts`, text: controllerFile(options) },
      { path: `${SOURCES}/${file}.test.ts`, text: controllerTestFile(options) },
    ],
    imports: importLines({ [`./${file}.js`]: [options.variable] }),
    entries: [{ list: 'controllers', names: [options.variable] }],
  };
}
