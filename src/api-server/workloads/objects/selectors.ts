import { type LabelSelectorFields, labelRequirementsOf, matchesLabels } from '@keelson/kubernetes/apimachinery';

type Labels = Readonly<Record<string, string>>;

/** Whether labels are chosen. A selector that cannot be read chooses nothing: the server would not have taken it. */
export function selectorOf(fields: LabelSelectorFields): (labels?: Labels) => boolean {
  const parsed = labelRequirementsOf(fields);
  return 'problem' in parsed ? () => false : (labels) => matchesLabels(parsed.requirements, labels);
}

/** The selector of a Service or ReplicationController. */
export function labelsMatcher(wanted: Labels): (labels?: Labels) => boolean {
  const entries = Object.entries(wanted);
  return (labels = {}) => entries.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** A selector that chooses everything: what controllers refuse to work with. */
export function selectsAll({ matchLabels = {}, matchExpressions = [] }: LabelSelectorFields): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}
