import { type FieldError, forbidden, invalid, type StructuralSchema } from '../../apimachinery/index.js';
import { RuleCosts } from './costs.js';
import { defaultErrors } from './defaults.js';
import { ruleErrors } from './rules.js';
import { structureErrors } from './structure.js';
import { walkErrors } from './walk.js';
import { SERVER_WORDING, type Wording } from './wording.js';

export interface CheckOptions {
  /**
   * Where the schema stands, as the API server's errors name it.
   * @defaultValue `openAPIV3Schema`
   */
  readonly path?: string | undefined;
  /** Whether the status subresource is on: the root then allows fewer keywords. */
  readonly statusSubresource?: boolean | undefined;
  /** Whether the schema is stored as it is: what each of its rules costs was asked when it was made. */
  readonly isStored?: boolean | undefined;
}

/** Keywords at the root beside a status subresource: the others would be lost when the status is validated alone. */
const ROOT_KEYWORDS: ReadonlySet<string> = new Set(
  'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations'.split(
    ' ',
  ),
);
const ROOT_FIELDS =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

/**
 * The API server's objections to the schema of a custom resource: structure, defaults, list and map types, patterns, rules.
 *
 * Flow: structure; only then defaults; only then, where a node and everything below is sound, its rules. As apiextensions-apiserver, `validateCustomResourceDefinitionValidation`.
 */
export function checkStructural(schema: StructuralSchema, options: CheckOptions = {}): FieldError[] {
  return checkAs(schema, options, { wording: SERVER_WORDING, rulesNeedDefaults: true, libraries: 'new' });
}

/** The judge, and its words. */
export interface Judge {
  readonly wording: Wording;
  /** The API server compiles no rule beside a wrong default; an author wants to hear of both at once. */
  readonly rulesNeedDefaults: boolean;
  /** `new`: those of the API server; `portable`: those of every supported release. */
  readonly libraries: 'new' | 'portable';
}

/** {@link checkStructural} for a judge of the caller's. */
export function checkAs(
  schema: StructuralSchema,
  { path = 'openAPIV3Schema', statusSubresource = false, isStored = false }: CheckOptions,
  { wording, rulesNeedDefaults, libraries }: Judge,
): FieldError[] {
  const root = [
    ...(statusSubresource ? rootErrors(schema, path) : []),
    ...(schema.nullable === true ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
  ];
  const structure = structureErrors(schema, path, wording);
  const defaults = structure.length > 0 ? [] : defaultErrors(schema, { path, wording });
  const sound = structure.length === 0 && (defaults.length === 0 || !rulesNeedDefaults);
  const rules: FieldError[] = [];
  const costs = new RuleCosts(wording, { ofSumAlone: isStored });
  const nodes = walkErrors(schema, path, {
    visit(node, errors) {
      if (sound && errors.length === 0) rules.push(...ruleErrors(node, { wording, libraries }, costs));
    },
  });
  return [...root, ...structure, ...defaults, ...nodes, ...rules, ...costs.sumErrors(path)];
}

function rootErrors(schema: StructuralSchema, path: string): FieldError[] {
  // A missing type is reported by the rules of structure.
  if (schema.type !== undefined && schema.type !== 'object') {
    return [
      invalid(
        `${path}.type`,
        schema.type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  }
  const other = Object.keys(schema).find((key) => !ROOT_KEYWORDS.has(key));
  const text = `only [${ROOT_FIELDS}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return other === undefined ? [] : [invalid(path, other, text)];
}
