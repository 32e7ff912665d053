import { isRecord } from '@keelson/kubernetes/apimachinery';
import { type Fields, listAt, textAt } from '../bundle-contents.js';
import { examplesOf } from './csv-rules.js';
import { type BundleRule, type RuleSubject, warning, when } from './rule.js';

/**
 * Rules of the tests that `operator-sdk scorecard` runs in Pods. The tests read the bundle alone, so their result is known beforehand.
 *
 * Source: operator-sdk `internal/scorecard/tests`.
 */
export const SCORECARD_RULES: readonly BundleRule[] = [
  warning('scorecard-spec', (subject) =>
    samplesOf(subject).flatMap((sample) =>
      when(!isRecord(sample['spec']), `annotation alm-examples: ${nameOf(sample)} has no spec, and scorecard fails on it; write one`),
    ),
  ),
  warning('scorecard-resources', ({ spec }) =>
    listAt(spec, 'customresourcedefinitions', 'owned').flatMap((owned) =>
      when(
        listAt(owned, 'resources').length === 0,
        `spec.customresourcedefinitions.owned: ${textAt(owned, 'name')} has no resources, and scorecard fails on it; name the kinds of objects that belong to one`,
      ),
    ),
  ),
  warning('scorecard-descriptors', (subject) =>
    samplesOf(subject).flatMap((sample) => [
      ...withoutDescriptor(subject, sample, 'spec').map(
        (field) =>
          `annotation alm-examples: spec.${field} of ${nameOf(sample)} has no descriptor, and scorecard fails on it; add one with this path to specDescriptors`,
      ),
      ...when(
        isRecord(sample['status']) && Object.keys(sample['status']).length > 0 && descriptorsOf(subject, sample, 'status').length === 0,
        `annotation alm-examples: ${nameOf(sample)} has a status and its kind no statusDescriptors, and scorecard fails on it; add some`,
      ),
    ]),
  ),
];

function samplesOf({ csv }: RuleSubject): readonly Fields[] {
  return examplesOf(csv) ?? [];
}

function nameOf(sample: Fields): string {
  return `${textAt(sample, 'kind')} ${textAt(sample, 'metadata', 'name')}`;
}

/** Scorecard takes the first owned kind of the name, whatever its group and version. */
function descriptorsOf({ spec }: RuleSubject, sample: Fields, part: 'spec' | 'status'): readonly string[] {
  const owned = listAt(spec, 'customresourcedefinitions', 'owned').find((each) => textAt(each, 'kind') === textAt(sample, 'kind'));
  return listAt(owned, `${part}Descriptors`).map((descriptor) => textAt(descriptor, 'path'));
}

function withoutDescriptor(subject: RuleSubject, sample: Fields, part: 'spec'): readonly string[] {
  const paths = descriptorsOf(subject, sample, part);
  return Object.keys(isRecord(sample[part]) ? sample[part] : {}).filter((field) => !paths.includes(field));
}
