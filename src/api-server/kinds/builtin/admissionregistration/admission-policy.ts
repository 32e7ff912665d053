import { type AdmissionProblem, compilePolicy } from '../../../../cel/index.js';
import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  pathSegmentProblems,
  required,
} from '../../../../kubernetes/index.js';
import { JsonPathError, parseJsonPath } from '../../custom-resources/index.js';
import type { Behaviour, Surroundings } from '../behaviour.js';
import {
  dnsSubdomain,
  type Errors,
  internalValue,
  invalidEach,
  labelName,
  labelSelectorErrors,
  mustBeOneOf,
  conditionErrors as statusConditionErrors,
  those,
} from '../checks/index.js';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicySpec } from '../drafts.js';
import { beginGenerations, countChangedSpec, withStatus } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';
import { bindingParamErrors, policyParamErrors } from './admission-params.js';
import { conditionErrors, FAILURE_POLICIES, matchErrors, setMatchDefaults } from './admission-rules.js';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const MAX_ANNOTATIONS = 20;
const MAX_ANNOTATION_EXPRESSION = 5_120;

/** Source: kubernetes 1.34 `pkg/registry/admissionregistration/validatingadmissionpolicy`, `pkg/apis/admissionregistration/{v1,validation}`. */
export const validatingAdmissionPolicies = (surroundings: Surroundings): Behaviour<ValidatingAdmissionPolicy> => ({
  setDefaults({ spec }) {
    if (spec === undefined) return;
    spec.failurePolicy ??= 'Fail';
    setMatchDefaults(spec.matchConstraints);
  },
  ...withStatus<ValidatingAdmissionPolicy>({ newStatus: () => ({}) }),
  validate: (policy, { user }) => {
    const errors = policyErrors(policy, undefined);
    return errors.length > 0 ? errors : policyParamErrors(policy, undefined, { surroundings, user });
  },
  validateUpdate: (policy, old, { user }) => {
    const errors = policyErrors(policy, old);
    return errors.length > 0 ? errors : policyParamErrors(policy, old, { surroundings, user });
  },
  allowsUnconditionalUpdate: false,
  validateStatusUpdate: ({ status = {} }) =>
    those(
      (status.typeChecking?.expressionWarnings ?? []).flatMap((warning, index) =>
        warningErrors(warning, `status.typeChecking.expressionWarnings[${index}]`),
      ),
      statusConditionErrors(status.conditions ?? [], 'status.conditions'),
    ),
});

type Warning = NonNullable<NonNullable<NonNullable<ValidatingAdmissionPolicy['status']>['typeChecking']>['expressionWarnings']>[number];

function warningErrors({ fieldRef, warning }: Warning, path: string): Errors {
  const place = fieldRef.trim();
  const problem = place === '' ? undefined : jsonPathProblem(place);
  return those(
    warning === '' && required(`${path}.warning`),
    place === '' && required(`${path}.fieldRef`),
    problem !== undefined && invalid(`${path}.fieldRef`, place, `invalid JSONPath: ${problem}`),
  );
}

function jsonPathProblem(path: string): string | undefined {
  try {
    // A word at the beginning is read as a field: what it means is asked of nobody.
    parseJsonPath(/^[\p{L}_]/u.test(path) ? `.${path}` : path);
    return undefined;
  } catch (error) {
    if (JsonPathError.isJsonPathError(error)) return error.message;
    throw error;
  }
}

function policyErrors({ metadata, spec = {} }: ValidatingAdmissionPolicy, old: ValidatingAdmissionPolicy | undefined): Errors {
  const { paramKind, matchConstraints, matchConditions, validations, auditAnnotations } = spec;
  const problems = celProblems(spec);
  const isKept =
    old !== undefined && semanticEqual(paramKind, old.spec?.paramKind) && semanticEqual(matchConditions, old.spec?.matchConditions);
  const isEmpty = (validations ?? []).length === 0 && (auditAnnotations ?? []).length === 0;
  const constraintErrors = (constraints: NonNullable<typeof matchConstraints>): Errors =>
    those(
      matchErrors(constraints, 'spec.matchConstraints'),
      (constraints.resourceRules ?? []).length === 0 && required('spec.matchConstraints.resourceRules'),
    );
  return [
    ...mustBeOneOf(FAILURE_POLICIES)(spec.failurePolicy, 'spec.failurePolicy'),
    ...(paramKind === undefined ? [] : paramKindErrors(paramKind, 'spec.paramKind')),
    ...(matchConstraints === undefined ? [required('spec.matchConstraints')] : constraintErrors(matchConstraints)),
    ...(isKept ? [] : conditionErrors(matchConditions ?? [], 'spec.matchConditions', problems.of)),
    ...(spec.variables ?? []).flatMap((variable, index) => problems.errors(variable, `variables[${index}]`, ['name', 'expression'])),
    ...(isEmpty ? ['validations', 'auditAnnotations'].map((field) => required(`spec.${field}`, EMPTY)) : validationErrors(spec, problems)),
    ...(isEmpty ? [] : annotationErrors(spec, metadata.name, problems)),
  ];
}

const EMPTY = 'validations or auditAnnotations must contain at least one item';

/** What CEL has against the expressions. */
interface CelProblems {
  readonly of: (field: string) => AdmissionProblem | undefined;
  errors(item: object, field: string, names: readonly string[]): readonly FieldError[];
}

const MISSING = ['name is not specified', 'expression is not specified'];

function celProblems(spec: ValidatingAdmissionPolicySpec): CelProblems {
  const { paramKind, variables, matchConditions, validations, auditAnnotations } = spec;
  const result = compilePolicy({
    params: paramKind !== undefined,
    variables: variables ?? [],
    matchConditions: matchConditions ?? [],
    validations: validations ?? [],
    auditAnnotations: auditAnnotations ?? [],
  });
  const problems = result.ok ? [] : result.problems;
  const of = (field: string): AdmissionProblem | undefined => problems.find((problem) => problem.field === field);
  const errors = (item: object, field: string, names: readonly string[]): readonly FieldError[] =>
    names.flatMap((name) => {
      const problem = of(`${field}.${name}`);
      if (problem === undefined) return [];
      const path = `spec.${field}.${name}`;
      return MISSING.includes(problem.detail)
        ? [required(path, problem.detail)]
        : [invalid(path, (item as Readonly<Record<string, unknown>>)[name], problem.detail)];
    });
  return { of, errors };
}

function validationErrors({ validations }: ValidatingAdmissionPolicySpec, problems: CelProblems): Errors {
  return (validations ?? []).flatMap((validation, index) => {
    const field = `validations[${index}]`;
    const { reason } = validation;
    return those(
      problems.errors(validation, field, ['expression', 'messageExpression', 'message']),
      !(reason === undefined || REASONS.includes(reason)) && notSupported(`spec.${field}.reason`, reason, REASONS),
    );
  });
}

function annotationErrors({ auditAnnotations }: ValidatingAdmissionPolicySpec, name: string, problems: CelProblems): Errors {
  const annotations = auditAnnotations ?? [];
  const path = 'spec.auditAnnotations';
  const tooMany = annotations.length > MAX_ANNOTATIONS;
  const keys = annotations.map(({ key }) => key);
  return those(
    tooMany && invalid(path, annotations.map(internalAnnotation), `must not have more than ${MAX_ANNOTATIONS} auditAnnotations`),
    annotations.flatMap(({ key, valueExpression }, index) => {
      const field = `${path}[${index}]`;
      const problem = problems.of(`auditAnnotations[${index}].valueExpression`);
      return those(
        labelName(`${name}/${key}`, `${field}.key`),
        valueErrors(valueExpression, `${field}.valueExpression`, problem),
        keys.indexOf(key) < index && duplicate(`${field}.key`, key),
      );
    }),
  );
}

function internalAnnotation(annotation: object): unknown {
  return internalValue('admissionregistration/v1.AuditAnnotation', annotation);
}

function valueErrors(expression: string, path: string, problem: AdmissionProblem | undefined): Errors {
  const source = expression.trim();
  if (source === '') return [required(path, 'valueExpression is not specified')];
  if (Buffer.byteLength(source) > MAX_ANNOTATION_EXPRESSION) {
    return [required(path, `must not exceed ${MAX_ANNOTATION_EXPRESSION} bytes in length`)];
  }
  return problem === undefined ? [] : [invalid(path, expression, problem.detail)];
}

function paramKindErrors({ apiVersion = '', kind = '' }: NonNullable<ValidatingAdmissionPolicySpec['paramKind']>, path: string): Errors {
  const kindProblems = dns1035LabelProblems(kind.toLowerCase());
  const text = `may have mixed case, but should otherwise match: ${kindProblems.join(',')}`;
  const kindErrors = kind === '' ? [required(`${path}.kind`)] : kindProblems.length === 0 ? [] : [invalid(`${path}.kind`, kind, text)];
  return [...groupVersionErrors(apiVersion, `${path}.apiVersion`), ...kindErrors];
}

function groupVersionErrors(apiVersion: string, path: string): Errors {
  if (apiVersion === '') return [required(path)];
  const parts = apiVersion.split('/');
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [group = '', version = ''] = parts.length === 1 ? ['', apiVersion] : parts;
  const groupProblems = group === '' ? [] : dns1123SubdomainProblems(group);
  const versionProblems = dns1035LabelProblems(version);
  return those(
    groupProblems.length !== 0 && invalid(path, group, groupProblems.join(',')),
    version === '' && invalid(path, apiVersion, 'version must be specified'),
    !(version === '' || versionProblems.length === 0) && invalid(path, version, versionProblems.join(',')),
  );
}

/** Source: kubernetes 1.34 `pkg/registry/admissionregistration/validatingadmissionpolicybinding`. */
export const validatingAdmissionPolicyBindings = (surroundings: Surroundings): Behaviour<ValidatingAdmissionPolicyBinding> => ({
  setDefaults: ({ spec }) => setMatchDefaults(spec?.matchResources),
  prepareForCreate: beginGenerations,
  validate: (binding, { user }) => {
    const errors = bindingErrors(binding);
    return errors.length > 0 ? errors : bindingParamErrors(binding, { surroundings, user });
  },
  prepareForUpdate: countChangedSpec,
  validateUpdate: (binding, _old, { user }) => {
    const errors = bindingErrors(binding);
    return errors.length > 0 ? errors : bindingParamErrors(binding, { surroundings, user });
  },
  allowsUnconditionalUpdate: false,
});

function bindingErrors({ spec = {} }: ValidatingAdmissionPolicyBinding): Errors {
  const { policyName = '', paramRef, matchResources } = spec;
  return those(
    policyName === '' ? [required('spec.policyName')] : dnsSubdomain(policyName, 'spec.policyName'),
    paramRef !== undefined && paramErrors(paramRef, 'spec.paramRef'),
    matchResources !== undefined && matchErrors(matchResources, 'spec.matchResources'),
    actionErrors(spec.validationActions ?? [], 'spec.validationActions'),
  );
}

type ParamRef = NonNullable<NonNullable<ValidatingAdmissionPolicyBinding['spec']>['paramRef']>;

function paramErrors({ name = '', selector, parameterNotFoundAction: action }: ParamRef, path: string): Errors {
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

function actionErrors(actions: readonly string[], path: string): Errors {
  const text =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return those(
    actions.flatMap((action, index) =>
      those(
        !ACTIONS.includes(action) && notSupported(`${path}[${index}]`, action, ACTIONS),
        actions.indexOf(action) < index && duplicate(`${path}[${index}]`, action),
      ),
    ),
    actions.includes('Deny') && actions.includes('Warn') && invalid(path, actions, text),
    actions.length === 0 && required(path, 'at least one validation action is required'),
  );
}
