import { DNS_1035_LABEL, obeys } from '@keelson/kubernetes/apimachinery';
import { DefinitionError, defineCustomResource } from 'keelson/internal/definition';
import { z } from 'zod';
import { kindNames } from './kind-names.js';

/** Beside `<name>-system` and `<name>-webhook` there is room for what the manifests append. */
const LONGEST_PROJECT_NAME = 50;

/** A package cannot depend on one of its own name. */
const DEPENDENCIES = ['keelson', 'zod', 'cdk8s', 'cdk8s-cli', 'constructs', 'tsx', 'typescript', 'vitest', 'jest'];

/** Names that the generated code uses for something else. */
const USED_NAMES = [
  'App',
  'Chart',
  'ConditionInput',
  'CustomResource',
  'Deployment',
  'IMAGE',
  'InProcessCluster',
  'Object',
  'Older',
  'Operator',
  'Readonly',
  'Record',
  'Resource',
  'Service',
  'ServiceInput',
  'TestCluster',
];

/** Files of a project that a kind's own would replace. */
const USED_FILES = ['main', 'operator', 'run'];

/** Why it cannot be the name of a project; `undefined` when it can. It completes `--name X: `. */
export function projectNameProblem(name: string): string | undefined {
  if (!obeys(DNS_1035_LABEL, name)) return `must be ${DNS_1035_LABEL.says}, as it names a package, a Deployment and a namespace`;
  if (name.length > LONGEST_PROJECT_NAME) return `has ${name.length} characters; it must have at most ${LONGEST_PROJECT_NAME}`;
  return DEPENDENCIES.includes(name) ? 'is the name of a package that the project depends on' : undefined;
}

export function groupProblem(group: string): string | undefined {
  return definitionProblem('group', { group });
}

export function kindProblem(kind: string): string | undefined {
  const problem = definitionProblem('kind', { kind }) ?? definitionProblem('listKind', { kind });
  if (problem !== undefined) return problem;
  if (isUsedName(kind)) return `is a name that the generated code uses for something else; choose another, for example My${kind}`;
  return undefined;
}

export function versionProblem(version: string): string | undefined {
  return /^v[1-9]\d*((alpha|beta)[1-9]\d*)?$/.test(version)
    ? undefined
    : 'is not a version of an API; write v1alpha1, v1beta1, v1 and so on';
}

/** Whether the generated code has the name, or its file, for something else. */
export function isUsedName(name: string): boolean {
  return USED_NAMES.includes(name) || USED_FILES.includes(kindNames(name).file);
}

/** The words of the definition itself, so that what `init` accepts is what the generated code can define. */
function definitionProblem(
  path: 'group' | 'kind' | 'listKind',
  names: { readonly group?: string; readonly kind?: string },
): string | undefined {
  try {
    defineCustomResource({ group: 'example.com', kind: 'Example', ...names, versions: { v1: { spec: z.object({}) } } });
    return undefined;
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    // The value stands before it already, with its flag.
    return error.problems.find((problem) => problem.path === path)?.message.replace(/^'[^']*' /, '');
  }
}
