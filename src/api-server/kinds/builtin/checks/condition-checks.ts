import { duplicate, invalid, notSupported, required, tooLong } from '@keelson/kubernetes/apimachinery';
import type { Condition } from '../drafts.js';
import { labelName } from './field-checks.js';
import { type Errors, those } from './rules.js';

const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const REASON_RULE =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'";
const REASON_EXAMPLES = ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB'];
const MAX_REASON = 1_024;
const MAX_MESSAGE = 32_768;

/** `metav1.Condition`s. Source: apimachinery `pkg/apis/meta/v1/validation`. */
export function conditionErrors(conditions: readonly Condition[], path: string): Errors {
  const types = conditions.map(({ type }) => type);
  return conditions.flatMap((condition, index): Errors => {
    const field = `${path}[${index}]`;
    const { type, observedGeneration = 0, message = '' } = condition;
    const { status, reason, lastTransitionTime: time }: { status: string; reason: string; lastTransitionTime: unknown } = condition;
    return those(
      types.indexOf(type) < index && duplicate(field, type),
      labelName(type, `${field}.type`),
      !STATUSES.includes(status) && notSupported(`${field}.status`, status, STATUSES),
      observedGeneration < 0 && invalid(`${field}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero'),
      !(typeof time === 'string' && time !== '') && required(`${field}.lastTransitionTime`),
      reasonErrors(reason, `${field}.reason`),
      Buffer.byteLength(message) > MAX_MESSAGE && tooLong(`${field}.message`, MAX_MESSAGE),
    );
  });
}

const STATUSES = ['False', 'True', 'Unknown'];

function reasonErrors(reason: string, path: string): Errors {
  if (reason === '') return [required(path)];
  const list = REASON_EXAMPLES.map((example) => `'${example}', `).join(' or ');
  const text = `${REASON_RULE} (e.g. ${list}regex used for validation is '${REASON}')`;
  return those(
    !new RegExp(`^${REASON}$`).test(reason) && invalid(path, reason, text),
    reason.length > MAX_REASON && tooLong(path, MAX_REASON),
  );
}
