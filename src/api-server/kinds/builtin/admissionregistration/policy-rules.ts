import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  type FieldError,
  forbidden,
  groupVersionOf,
  groupVersionProblem,
  internal,
  invalid,
  pathSegmentProblems,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { AdmissionProblem } from '@keelson/kubernetes/cel';
import { type Errors, invalidEach, labelSelectorErrors, mustBeOneOf, those } from '../checks/index.js';
import type { LabelSelector } from '../drafts.js';

/** The problems that CEL finds in the expressions of a policy. */
export interface CelProblems {
  readonly of: (field: string) => AdmissionProblem | undefined;
  /** @param names of those fields of the item that are expressions */
  errors(item: object, field: string, names: readonly string[]): readonly FieldError[];
}

const MISSING = ['name is not specified', 'expression is not specified'];
/** Found when the program is made of an expression that has been checked: to the server a fault of its own. */
const INTERNAL = 'program instantiation failed: ';

export function celProblemsOf(problems: readonly AdmissionProblem[]): CelProblems {
  const of = (field: string): AdmissionProblem | undefined => problems.find((problem) => problem.field === field);
  const errors = (item: object, field: string, names: readonly string[]): readonly FieldError[] =>
    names.flatMap((name) => {
      const problem = of(`${field}.${name}`);
      if (problem === undefined) return [];
      return [celError(problem, `spec.${field}.${name}`, (item as Readonly<Record<string, unknown>>)[name])];
    });
  return { of, errors };
}

export function celError({ detail }: AdmissionProblem, path: string, value: unknown): FieldError {
  if (MISSING.includes(detail)) return required(path, detail);
  return detail.startsWith(INTERNAL) ? internal(path, detail) : invalid(path, value, detail);
}

interface ParamKind {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
}

export function paramKindErrors({ apiVersion = '', kind = '' }: ParamKind, path: string): Errors {
  const kindProblems = dns1035LabelProblems(kind.toLowerCase());
  const text = `may have mixed case, but should otherwise match: ${kindProblems.join(',')}`;
  const kindErrors = kind === '' ? [required(`${path}.kind`)] : kindProblems.length === 0 ? [] : [invalid(`${path}.kind`, kind, text)];
  return [...groupVersionErrors(apiVersion, `${path}.apiVersion`), ...kindErrors];
}

function groupVersionErrors(apiVersion: string, path: string): Errors {
  if (apiVersion === '') return [required(path)];
  const problem = groupVersionProblem(apiVersion);
  if (problem !== undefined) return [invalid(path, apiVersion, problem)];
  const { group, version } = groupVersionOf(apiVersion);
  const groupProblems = group === '' ? [] : dns1123SubdomainProblems(group);
  const versionProblems = dns1035LabelProblems(version);
  return those(
    groupProblems.length !== 0 && invalid(path, group, groupProblems.join(',')),
    version === '' && invalid(path, apiVersion, 'version must be specified'),
    !(version === '' || versionProblems.length === 0) && invalid(path, version, versionProblems.join(',')),
  );
}

interface ParamRef {
  readonly name?: string | undefined;
  readonly selector?: LabelSelector | undefined;
  readonly parameterNotFoundAction?: string | undefined;
}

export function paramErrors({ name = '', selector, parameterNotFoundAction: action }: ParamRef, path: string): Errors {
  const both = 'name and selector are mutually exclusive';
  const isBoth = name !== '' && selector !== undefined;
  return those(
    invalidEach(`${path}.name`, name, pathSegmentProblems(name)),
    isBoth && forbidden(`${path}.name`, both),
    labelSelectorErrors(selector, `${path}.selector`),
    isBoth && forbidden(`${path}.selector`, both),
    name === '' && selector === undefined && required(path, 'one of name or selector must be specified'),
    mustBeOneOf(['Deny', 'Allow'])(action, `${path}.parameterNotFoundAction`),
  );
}
