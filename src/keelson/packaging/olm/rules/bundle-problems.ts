import type { PackageFile } from '../../package-file.js';
import { bundleContents, fieldsAt } from '../bundle-contents.js';
import { BUNDLE_RULES } from './bundle-rules.js';
import { CSV_RULES } from './csv-rules.js';
import { PRACTICE_RULES } from './practice-rules.js';
import type { BundleProblem, BundleRule } from './rule.js';
import { SCORECARD_RULES } from './scorecard-rules.js';

const RULES: readonly BundleRule[] = [...BUNDLE_RULES, ...CSV_RULES, ...PRACTICE_RULES, ...SCORECARD_RULES];

/**
 * Names of the rules, in the order in which they are checked.
 *
 * @example
 * ```ts
 * console.log(`${BUNDLE_RULE_NAMES.length} rules`);
 * ```
 */
export const BUNDLE_RULE_NAMES: readonly string[] = RULES.map(({ rule }) => rule);

/**
 * Problems of an OLM bundle: errors keep it from being installed, warnings from being listed or upgraded well. The files may be those of any bundle.
 *
 * The rules are those of operator-framework/api, in this project's words. Images are not asked for: nothing leaves the process.
 *
 * @example
 * ```ts
 * const errors = bundleProblems(memcachedBundle.files()).filter(({ severity }) => severity === 'error');
 * ```
 */
export function bundleProblems(files: readonly PackageFile[]): readonly BundleProblem[] {
  const contents = bundleContents(files);
  const csv = contents.csv?.fields ?? {};
  const subject = {
    contents,
    csv,
    spec: fieldsAt(csv, 'spec'),
    crds: contents.objects.filter(({ fields }) => fields['kind'] === 'CustomResourceDefinition'),
  };
  // Without a ClusterServiceVersion, rules about its fields would say that each is missing.
  const rules = contents.csv === undefined ? BUNDLE_RULES : RULES;
  return rules.flatMap(({ rule, severity, check }) =>
    check(subject).map((found): BundleProblem => {
      const { path, message } = typeof found === 'string' ? { path: contents.csv?.path ?? 'manifests', message: found } : found;
      return { rule, severity, path, message };
    }),
  );
}
