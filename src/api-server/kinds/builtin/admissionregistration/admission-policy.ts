import { duplicate, invalid, notSupported, required } from '@keelson/kubernetes/apimachinery';
import { type AdmissionProblem, compilePolicy } from '@keelson/kubernetes/cel';
import { JsonPathError, parseJsonPath } from '../../custom-resources/index.js';
import type { Behaviour, Surroundings } from '../behaviour.js';
import {
  declaredErrors,
  dnsSubdomain,
  type Errors,
  internalValue,
  labelName,
  mustBeOneOf,
  conditionErrors as statusConditionErrors,
  those,
} from '../checks/index.js';
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicySpec } from '../drafts.js';
import { beginGenerations, countChangedSpec, withStatus } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';
import { bindingParamErrors, policyParamErrors } from './admission-params.js';
import { conditionErrors, FAILURE_POLICIES, matchErrors, setMatchDefaults } from './admission-rules.js';
import { type CelProblems, celError, celProblemsOf, paramErrors, paramKindErrors } from './policy-rules.js';

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const ACTIONS = ['Audit', 'Deny', 'Warn'];
const MAX_ANNOTATIONS = 20;
const MAX_ANNOTATION_EXPRESSION = 5_120;

/** Source: kubernetes `pkg/registry/admissionregistration/validatingadmissionpolicy`, `pkg/apis/admissionregistration/{v1,validation}`. */
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
    // A word at the beginning is read as a field; its meaning is not checked.
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

function celProblems(spec: ValidatingAdmissionPolicySpec): CelProblems {
  const { paramKind, variables, matchConditions, validations, auditAnnotations } = spec;
  const result = compilePolicy({
    params: paramKind !== undefined,
    variables: variables ?? [],
    matchConditions: matchConditions ?? [],
    validations: validations ?? [],
    auditAnnotations: auditAnnotations ?? [],
  });
  return celProblemsOf(result.ok ? [] : result.problems);
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
  return problem === undefined ? [] : [celError(problem, path, expression)];
}

/** Source: kubernetes `pkg/registry/admissionregistration/validatingadmissionpolicybinding`. */
export const validatingAdmissionPolicyBindings = (surroundings: Surroundings): Behaviour<ValidatingAdmissionPolicyBinding> => ({
  setDefaults: ({ spec }) => setMatchDefaults(spec?.matchResources),
  prepareForCreate: beginGenerations,
  validate: (binding, { user }) => {
    const errors = bindingErrors(binding);
    return errors.length > 0 ? errors : bindingParamErrors(binding, 'validatingadmissionpolicies', { surroundings, user });
  },
  prepareForUpdate: countChangedSpec,
  validateUpdate: (binding, _old, { user }) => {
    const errors = bindingErrors(binding);
    return errors.length > 0 ? errors : bindingParamErrors(binding, 'validatingadmissionpolicies', { surroundings, user });
  },
  allowsUnconditionalUpdate: false,
});

function bindingErrors(binding: ValidatingAdmissionPolicyBinding): Errors {
  const spec: Partial<NonNullable<typeof binding.spec>> = binding.spec ?? {};
  const { policyName = '', paramRef, matchResources } = spec;
  return those(
    policyName === '' ? declaredErrors([required('spec.policyName')]) : dnsSubdomain(policyName, 'spec.policyName'),
    paramRef !== undefined && paramErrors(paramRef, 'spec.paramRef'),
    matchResources !== undefined && matchErrors(matchResources, 'spec.matchResources'),
    actionErrors(spec.validationActions ?? [], 'spec.validationActions'),
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
    actions.length === 0 && declaredErrors([required(path)]),
  );
}
