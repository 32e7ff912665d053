/** One line about each command, in the order in which they are listed. The list of commands needs no more of them. */
export const SUMMARIES = {
  apiserver: 'run a Kubernetes API server in memory, for kubectl and operators under development',
  completion: 'print a script that completes commands and options in bash, zsh or fish',
  create: 'add a kind, a controller, a webhook or a version to a project',
  dev: 'run an operator against an API server of its own, again after each change of a file',
  diff: 'compare the manifests of two releases',
  docs: 'write reference pages of the kinds and the operator',
  graph: 'print a picture of the operator for Mermaid',
  import: 'write TypeScript kinds for the CustomResourceDefinitions of others',
  init: 'start a project: a kind, its controller, tests, manifests, an image',
  'kubectl-plugin': 'write a kubectl plugin that pauses, resumes and reconciles objects',
  package: 'write a package for Helm, Kustomize, OLM or Argo CD, or the schemas of its kinds',
  plan: 'say what the operator would write, on a copy of a cluster or on samples',
  render: 'print the children of a custom resource, without a cluster',
  validate: 'judge custom resources by schema and rules, as the API server would, without a cluster',
  why: 'print why an operator in a cluster did what it did to an object',
} as const satisfies Readonly<Record<string, string>>;

export type CommandName = keyof typeof SUMMARIES;

export function isCommandName(name: string | undefined): name is CommandName {
  return name !== undefined && Object.hasOwn(SUMMARIES, name);
}
