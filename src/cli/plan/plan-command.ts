import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { OperatorModel } from 'keelson/internal/definition';
import { UsageError } from '../errors.js';
import { type ManifestReading, readManifests } from '../manifests/index.js';
import { projectOperator } from '../rehearsal/index.js';
import type { Terminal } from '../terminal.js';
import { timeoutIn } from '../timeout.js';
import { PLAN } from '../usage/index.js';
import { readContext } from './context-source.js';
import { planOf } from './plan.js';
import { planMarkdown } from './plan-markdown.js';
import { exitStatusOf, type Plan } from './plan-report.js';
import { planText } from './plan-text.js';

type Values = ReturnType<typeof valuesIn>;

/** `keelson plan`. Resolves with the exit status: 0 nothing changes, 2 something does, 1 something failed or could not be judged. */
export async function runPlan(args: readonly string[], terminal: Terminal): Promise<number> {
  const values = valuesIn(args);
  const timeoutMs = timeoutIn('plan', values.timeout);
  const write = FORMATS.get(values.output);
  if (write === undefined) throw new UsageError(`keelson plan: --output ${values.output}: is not known; choose text, json or markdown`);
  if (values.context === undefined && (values.kubeconfig ?? values.namespace) !== undefined)
    throw new UsageError('keelson plan: --kubeconfig and --namespace need --context: without it no cluster is read');
  const operator = await projectOperator('plan', values.operator, terminal.directory);
  terminal.progress?.('reading');
  const { objects, definitions } = await worldIn(values, operator, terminal);
  const plan = await planOf({
    operator,
    objects: objects.found,
    definitions: definitions.found,
    unread: [...objects.unread, ...definitions.unread],
    environment: process.env,
    timeoutMs,
    onProgress: terminal.progress,
  });
  terminal.progress?.('');
  terminal.out(write(plan, terminal.colours === true));
  return exitStatusOf(plan);
}

const FORMATS: ReadonlyMap<string, (plan: Plan, hasColours: boolean) => string> = new Map([
  ['text', planText],
  ['json', (plan) => `${JSON.stringify(plan, undefined, 2)}\n`],
  ['markdown', planMarkdown],
]);

function valuesIn(args: readonly string[]) {
  return parseArgs({ args: [...args], options: PLAN.options }).values;
}

async function worldIn(
  values: Values,
  operator: OperatorModel,
  terminal: Terminal,
): Promise<{ readonly objects: ManifestReading; readonly definitions: ManifestReading }> {
  const { context, kubeconfig, namespace, filename, crds = [] } = values;
  const paths = filename ?? (context === undefined ? [samplesIn(terminal.directory)] : []);
  const [given, named] = [await readManifests(paths, terminal), await readManifests(crds, terminal)];
  if (context === undefined) return { objects: given, definitions: named };
  const read = await readContext(operator, { context, kubeconfig: kubeconfig && resolve(terminal.directory, kubeconfig), namespace });
  return { objects: both(read.objects, given), definitions: both(named, read.definitions) };
}

const both = (a: ManifestReading, b: ManifestReading): ManifestReading => ({
  found: [...a.found, ...b.found],
  unread: [...a.unread, ...b.unread],
});

/** Where projects have their samples; the second is what those of `keelson init` synthesize. */
const SAMPLES = ['samples', 'dist/samples.k8s.yaml'];

/** @throws UsageError if neither path exists */
function samplesIn(directory: string): string {
  const found = SAMPLES.find((path) => existsSync(resolve(directory, path)));
  if (found === undefined)
    throw new UsageError(`keelson plan: there is neither ${SAMPLES.join(' nor ')} here; name a world with --filename or --context`);
  return found;
}
