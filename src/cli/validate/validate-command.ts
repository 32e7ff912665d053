import { parseArgs } from 'node:util';
import { UsageError, ValidateError } from '../errors.js';
import { readManifests } from '../manifests/index.js';
import type { Terminal } from '../terminal.js';
import { VALIDATE } from '../usage/index.js';
import { judgeAll } from './judge.js';
import { failureOf, reportOf, reportText } from './report.js';

/** `keelson validate`. @throws ValidateError when an object is not valid, or could not be judged; the report is written by then */
export async function runValidate(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: VALIDATE.options, allowPositionals: true });
  const { output, crds = [], old = [] } = values;
  if (output !== 'text' && output !== 'json')
    throw new UsageError(`keelson validate: --output ${output}: is not known; choose text or json`);
  if (positionals.length === 0)
    throw new UsageError('keelson validate: no file given; pass custom resources in YAML, a folder of them, or - for standard input');
  if ([...positionals, ...crds, ...old].filter((path) => path === '-').length > 1)
    throw new UsageError('keelson validate: - is given more than once; standard input can be read once');
  terminal.progress?.('reading');
  const [objects, definitions, previous] = [
    await readManifests(positionals, terminal),
    await readManifests(crds, terminal),
    await readManifests(old, terminal),
  ];
  const input = { objects, definitions, old: previous, ignoresMissingDefinitions: values['ignore-missing-crds'] };
  const total = objects.found.length;
  const report = reportOf(await judgeAll(input, (done) => terminal.progress?.(`judged ${done} of ${total}`)));
  terminal.progress?.('');
  terminal.out(output === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : reportText(report));
  const failure = failureOf(report);
  if (failure !== undefined) throw new ValidateError(failure);
}
