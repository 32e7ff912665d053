import type { CommandUsage } from './command-usage.js';
import type { CommandName } from './summaries.js';

/** Each is loaded when it is asked for: the pages of all commands together are larger than the rest of the command line. */
const LOADERS: Readonly<Record<CommandName, () => Promise<CommandUsage>>> = {
  apiserver: async () => (await import('./apiserver.js')).APISERVER,
  completion: async () => (await import('./completion.js')).COMPLETION,
  create: async () => (await import('./create.js')).CREATE,
  dev: async () => (await import('./dev.js')).DEV,
  diff: async () => (await import('./diff.js')).DIFF,
  docs: async () => (await import('./docs.js')).DOCS,
  graph: async () => (await import('./graph.js')).GRAPH,
  import: async () => (await import('./import.js')).IMPORT,
  init: async () => (await import('./init.js')).INIT,
  'kubectl-plugin': async () => (await import('./kubectl-plugin.js')).KUBECTL_PLUGIN,
  package: async () => (await import('./package.js')).PACKAGE,
  plan: async () => (await import('./plan.js')).PLAN,
  render: async () => (await import('./render.js')).RENDER,
  validate: async () => (await import('./validate.js')).VALIDATE,
  why: async () => (await import('./why.js')).WHY,
};

/** The help and the options of one command. */
export function loadUsage(name: CommandName): Promise<CommandUsage> {
  return LOADERS[name]();
}
