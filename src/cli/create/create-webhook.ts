import { ScaffoldError } from '../errors.js';
import { importLines, kindNames, webhookFile, webhookTestFile } from '../scaffold/index.js';
import { type Addition, inOperator } from './additions.js';
import { type FoundProject, SOURCES } from './found-project.js';
import { fileOfKind } from './project-kind.js';

/** @throws ScaffoldError for a kind that the project does not have, or that has webhooks already */
export function webhookAddition(kind: string, project: FoundProject): Addition {
  const { name: kindModule } = fileOfKind(kind, project);
  const present = project.sources.find(({ text }) => new RegExp(`\\b(defaulting|validating)\\(\\s*${kind}\\b`).test(text));
  if (present !== undefined)
    throw new ScaffoldError(
      `${kind}: src/${present.name}.ts has webhooks for it already, and the API server asks one of each; extend them there`,
    );
  const names = kindNames(kind);
  const file = `${names.file}-webhooks`;
  const options = { ...names, file, label: names.file, kindModule, runner: project.runner };
  const hooks = [`${names.variable}Defaults`, `${names.variable}Checks`];
  return inOperator({
    files: [
      { path: `${SOURCES}/${file}.ts`, text: webhookFile(options) },
      { path: `${SOURCES}/${file}.test.ts`, text: webhookTestFile(options) },
    ],
    imports: importLines({ [`./${file}.js`]: hooks }),
    entries: [{ list: 'webhooks', names: hooks }],
  });
}
