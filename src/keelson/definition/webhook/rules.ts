import type { AdmissionWebhookModel } from '../model.js';

/** An entry of `rules` in a webhook configuration. */
export interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
}

/** Which requests a webhook is asked about: one rule for the resources of each group, version and scope, in the order of the kinds. */
export function webhookRules({ kinds, subresource, operations }: AdmissionWebhookModel): readonly WebhookRule[] {
  const rules = new Map<string, WebhookRule & { readonly resources: string[] }>();
  for (const { group, version, plural, scope } of kinds) {
    const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
    const key = `${group}/${version}/${scope}`;
    const rule = rules.get(key);
    if (rule === undefined)
      rules.set(key, { apiGroups: [group], apiVersions: [version], operations: [...operations], resources: [resource], scope });
    else rule.resources.push(resource);
  }
  return [...rules.values()];
}
