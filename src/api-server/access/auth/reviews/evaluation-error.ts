import { labelRequirementsOf, parseFieldSelector, parseLabelSelector } from '@keelson/kubernetes/apimachinery';
import type { ResourceAttributesSpec, SelectorRequirement, SelectorSpec } from './review-spec.js';

/**
 * The words of a review about selectors that it could not read. RBAC looks at none of them, but a client must learn that its own was not understood.
 *
 * Source: kubernetes `pkg/registry/authorization/util/helpers.go`.
 */
export function evaluationError({ fieldSelector, labelSelector }: ResourceAttributesSpec): string {
  const texts = [
    ignoredText('fieldSelector', fieldSelector, { isText: (text) => 'requirements' in parseFieldSelector(text), isTerm: isFieldTerm }),
    ignoredText('labelSelector', labelSelector, { isText: (text) => 'requirements' in parseLabelSelector(text), isTerm: isLabelTerm }),
  ];
  return texts.filter((text) => text !== '').join('; ');
}

interface Syntax {
  readonly isText: (text: string) => boolean;
  readonly isTerm: (requirement: SelectorRequirement) => boolean;
}

function ignoredText(field: string, selector: SelectorSpec | null | undefined, { isText, isTerm }: Syntax): string {
  const { rawSelector = '', requirements } = selector ?? {};
  const subject = `spec.resourceAttributes.${field}`;
  if (!requirements?.length) return rawSelector === '' || isText(rawSelector) ? '' : `${subject} ignored due to parse error`;
  const understood = requirements.filter(isTerm).length;
  if (understood === requirements.length) return '';
  return understood > 0 ? `${subject} partially ignored due to parse error` : `${subject} ignored due to parse error`;
}

/** A field selector can only say "equals" and "equals not", of one value. */
function isFieldTerm({ operator, values }: SelectorRequirement): boolean {
  return (operator === 'In' || operator === 'NotIn') && values?.length === 1;
}

function isLabelTerm({ key = '', operator = '', values }: SelectorRequirement): boolean {
  return 'requirements' in labelRequirementsOf({ matchExpressions: [{ key, operator, values: values ?? undefined }] });
}
