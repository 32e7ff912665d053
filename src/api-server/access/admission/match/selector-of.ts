import { type LabelRequirements, type LabelSelectorFields, labelRequirementsOf } from '@keelson/kubernetes/apimachinery';
import { internalError } from '../../../status/index.js';

/** The requirements of a stored selector; none: everything. @throws StatusError 500 */
export function selectorOf(selector: LabelSelectorFields | undefined): LabelRequirements {
  const parsed = labelRequirementsOf(selector ?? {});
  // Validation has refused such a selector; the server says so too should one be stored.
  if ('problem' in parsed) throw internalError(parsed.problem);
  return parsed.requirements;
}
