import { equalJson, type Json, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { type Finding, findingOf, shown } from './finding.js';

type Webhook = { readonly name: string } & Readonly<Record<string, Json>>;

/** The fields that select requests, and those that say what the answer means. The address of the webhook is not compared. */
const COMPARED = [
  'rules',
  'failurePolicy',
  'matchPolicy',
  'namespaceSelector',
  'objectSelector',
  'matchConditions',
  'sideEffects',
  'timeoutSeconds',
  'reinvocationPolicy',
];

/** Compares the webhooks of two configurations of one name. Whether a change of rules or selectors widens them is for a person to say. */
export function webhookChanges(
  object: string,
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): readonly Finding[] {
  const [old, now] = [webhooksOf(before), webhooksOf(after)];
  return [
    ...[...now.keys()].filter((name) => !old.has(name)).map((name) => findingOf('webhook-widened', object, name, 'is new')),
    ...[...old].flatMap(([name, webhook]) => {
      const next = now.get(name);
      if (next === undefined) return [findingOf('webhook-removed', object, name, 'is gone')];
      return COMPARED.filter((field) => !equalJson(webhook[field], next[field])).map((field) =>
        findingOf('webhook-widened', object, `${name} ${field}`, `${shown(webhook[field])} → ${shown(next[field])}`),
      );
    }),
  ];
}

function webhooksOf(configuration: (KubernetesObject & { readonly webhooks?: unknown }) | undefined): ReadonlyMap<string, Webhook> {
  const { webhooks } = configuration ?? {};
  return new Map((Array.isArray(webhooks) ? (webhooks as readonly Webhook[]) : []).map((webhook) => [webhook.name, webhook]));
}
