import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from '@keelson/kubernetes/apimachinery';
import { compileMatchConditions } from '@keelson/kubernetes/cel';
import { webhookServiceErrors, webhookUrlErrors } from '../../custom-resources/index.js';
import type { Behaviour } from '../behaviour.js';
import { type Errors, labelSelectorErrors, oneOf, those } from '../checks/index.js';
import type { MutatingWebhook, MutatingWebhookConfiguration, ValidatingWebhook, ValidatingWebhookConfiguration } from '../drafts.js';
import { beginGenerations, countGeneration } from '../generation.js';
import { semanticEqual } from '../semantic-equal.js';
import { conditionErrors, FAILURE_POLICIES, MATCH_POLICIES, ruleErrors, setRuleDefaults } from './admission-rules.js';

type Webhook = Omit<MutatingWebhook, 'reinvocationPolicy'> & Pick<MutatingWebhook, 'reinvocationPolicy'>;
type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/** Source: kubernetes `pkg/registry/admissionregistration/mutatingwebhookconfiguration`, `pkg/apis/admissionregistration/{v1,validation}`. */
export const mutatingWebhookConfigurations: Behaviour<MutatingWebhookConfiguration> = configurations((webhook: MutatingWebhook) => {
  webhook.reinvocationPolicy ??= 'Never';
});

/** Source: as above, of `validatingwebhookconfiguration`. */
export const validatingWebhookConfigurations: Behaviour<ValidatingWebhookConfiguration> = configurations(() => undefined);

function configurations(setOwnDefaults: (webhook: MutatingWebhook) => void): Behaviour<Configuration> {
  return {
    setDefaults({ webhooks }) {
      for (const webhook of webhooks ?? []) {
        setWebhookDefaults(webhook);
        setOwnDefaults(webhook);
      }
    },
    prepareForCreate: beginGenerations,
    validate: ({ webhooks }) => webhooksErrors(webhooks ?? [], undefined),
    prepareForUpdate(configuration, old) {
      if (!semanticEqual(configuration.webhooks, old.webhooks)) countGeneration(configuration, old);
    },
    validateUpdate: ({ webhooks }, old) => webhooksErrors(webhooks ?? [], old.webhooks ?? []),
    allowsUnconditionalUpdate: false,
  };
}

function setWebhookDefaults(webhook: MutatingWebhook | ValidatingWebhook): void {
  webhook.failurePolicy ??= 'Fail';
  webhook.matchPolicy ??= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  const { service } = webhook.clientConfig;
  if (service !== undefined) service.port ??= 443;
  setRuleDefaults(webhook.rules);
}

const HARMLESS = ['None', 'NoneOnDryRun'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

/** A value that an older server has let through may stay. */
interface Tolerance {
  readonly sideEffects: readonly string[];
  readonly needsKnownVersion: boolean;
  readonly needsUniqueNames: boolean;
  readonly checksConditions: boolean;
}

function toleranceOf(webhooks: readonly Webhook[], old: readonly Webhook[] | undefined): Tolerance {
  if (old === undefined) return { sideEffects: HARMLESS, needsKnownVersion: true, needsUniqueNames: true, checksConditions: true };
  const names = old.map(({ name }) => name);
  const isSame =
    webhooks.length === old.length &&
    old.every(({ matchConditions }, index) => semanticEqual(matchConditions, webhooks[index]?.matchConditions));
  return {
    sideEffects: old.every(({ sideEffects }) => HARMLESS.includes(sideEffects)) ? HARMLESS : SIDE_EFFECTS,
    needsKnownVersion: old.every(({ admissionReviewVersions: versions }) => (versions ?? []).length === 0 || hasKnownVersion(versions)),
    needsUniqueNames: new Set(names).size === names.length,
    checksConditions: !isSame,
  };
}

function hasKnownVersion(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}

function webhooksErrors(webhooks: readonly Webhook[], old: readonly Webhook[] | undefined): Errors {
  const tolerance = toleranceOf(webhooks, old);
  const names = webhooks.map(({ name }) => name);
  return webhooks.flatMap((webhook, index): Errors => {
    const path = `webhooks[${index}]`;
    const { name, admissionReviewVersions: versions } = webhook;
    const isDouble = tolerance.needsUniqueNames && name !== '' && names.indexOf(name) < index;
    return those(
      webhookErrors(webhook, path, tolerance),
      versionErrors(versions ?? [], `${path}.admissionReviewVersions`, tolerance.needsKnownVersion),
      isDouble && duplicate(`${path}.name`, name),
    );
  });
}

function webhookErrors(webhook: Webhook, path: string, { sideEffects, checksConditions }: Tolerance): Errors {
  const { timeoutSeconds: timeout, rules, matchConditions } = webhook;
  const effects: string | null | undefined = webhook.sideEffects;
  const isPatient = timeout !== undefined && (timeout > 30 || timeout < 1);
  const noEffects = required(`${path}.sideEffects`, `must specify one of ${sideEffects.join(', ')}`);
  const effectErrors = sideEffects.includes(effects ?? '') ? [] : [notSupported(`${path}.sideEffects`, effects, sideEffects)];
  return those(
    nameErrors(webhook.name, `${path}.name`),
    (rules ?? []).flatMap((rule, index) => ruleErrors(rule, `${path}.rules[${index}]`)),
    oneOf(FAILURE_POLICIES)(webhook.failurePolicy, `${path}.failurePolicy`),
    oneOf(MATCH_POLICIES)(webhook.matchPolicy, `${path}.matchPolicy`),
    effects === undefined || effects === null ? [noEffects] : effectErrors,
    isPatient && invalid(`${path}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds'),
    labelSelectorErrors(webhook.namespaceSelector, `${path}.namespaceSelector`),
    labelSelectorErrors(webhook.objectSelector, `${path}.objectSelector`),
    oneOf(['IfNeeded', 'Never'])(webhook.reinvocationPolicy, `${path}.reinvocationPolicy`),
    clientErrors(webhook.clientConfig, `${path}.clientConfig`),
    checksConditions && celErrors(matchConditions ?? [], `${path}.matchConditions`),
  );
}

function celErrors(conditions: NonNullable<Webhook['matchConditions']>, path: string): Errors {
  const result = compileMatchConditions(conditions);
  const problems = result.ok ? [] : result.problems;
  return conditionErrors(conditions, path, (field) => problems.find((problem) => problem.field === field));
}

function nameErrors(name: string, path: string): Errors {
  if (name === '') return [required(path)];
  const problems = dns1123SubdomainProblems(name);
  if (problems.length > 0) return [invalid(path, name, problems.join(','))];
  return name.split('.').length < 3 ? [invalid(path, name, 'should be a domain with at least three segments separated by dots')] : [];
}

function clientErrors({ url, service }: Webhook['clientConfig'], path: string): Errors {
  if ((url === undefined) === (service === undefined)) return [required(path, 'exactly one of url or service is required')];
  if (url !== undefined) return webhookUrlErrors(url, `${path}.url`);
  return service === undefined ? [] : webhookServiceErrors(service, `${path}.service`);
}

function versionErrors(versions: readonly string[], path: string, needsKnown: boolean): Errors {
  if (versions.length === 0) return [required(path, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)];
  const errors = versions.flatMap((version, index): FieldError[] => {
    const field = `${path}[${index}]`;
    if (versions.indexOf(version) < index) return [invalid(field, version, 'duplicate version')];
    return dns1035LabelProblems(version).map((text) => invalid(field, version, text));
  });
  const isUnknown = needsKnown && !hasKnownVersion(versions);
  return [...errors, ...(isUnknown ? [invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`)] : [])];
}
