/** The help and the options of every command: what can be said of one without loading it. The way in is {@link USAGES}. */
import { APISERVER } from './apiserver.js';
import type { CommandUsage } from './command-usage.js';
import { COMPLETION } from './completion.js';
import { CREATE } from './create.js';
import { DEV } from './dev.js';
import { DIFF } from './diff.js';
import { DOCS } from './docs.js';
import { GRAPH } from './graph.js';
import { IMPORT } from './import.js';
import { INIT } from './init.js';
import { KUBECTL_PLUGIN } from './kubectl-plugin.js';
import { PACKAGE, PACKAGE_FORMATS } from './package.js';
import { PLAN } from './plan.js';
import { RENDER } from './render.js';
import type { CommandName } from './summaries.js';
import { VALIDATE } from './validate.js';
import { WHY } from './why.js';

export type { CommandUsage, Completion } from './command-usage.js';
export { SUMMARIES } from './summaries.js';
export {
  APISERVER,
  COMPLETION,
  CREATE,
  DEV,
  DIFF,
  DOCS,
  GRAPH,
  IMPORT,
  INIT,
  KUBECTL_PLUGIN,
  PACKAGE,
  PACKAGE_FORMATS,
  PLAN,
  RENDER,
  VALIDATE,
  WHY,
};

/** By name, in the order in which they are listed. */
export const USAGES: Readonly<Record<CommandName, CommandUsage>> = {
  apiserver: APISERVER,
  completion: COMPLETION,
  create: CREATE,
  dev: DEV,
  diff: DIFF,
  docs: DOCS,
  graph: GRAPH,
  import: IMPORT,
  init: INIT,
  'kubectl-plugin': KUBECTL_PLUGIN,
  package: PACKAGE,
  plan: PLAN,
  render: RENDER,
  validate: VALIDATE,
  why: WHY,
};
