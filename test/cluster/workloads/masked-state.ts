import type { Speaker } from '../differential/exchange.js';

/** What is compared, by its path below the namespace. */
const KINDS = {
  deployments: '/apis/apps/v1',
  replicasets: '/apis/apps/v1',
  statefulsets: '/apis/apps/v1',
  daemonsets: '/apis/apps/v1',
  controllerrevisions: '/apis/apps/v1',
  jobs: '/apis/batch/v1',
  poddisruptionbudgets: '/apis/policy/v1',
  endpointslices: '/apis/discovery.k8s.io/v1',
  endpoints: '/api/v1',
  pods: '/api/v1',
};

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly generateName?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly revision?: number;
}

/** What two control planes cannot agree on: uids, times, addresses, hashes; and what is written as often as chance wills. */
const MASKED = new Set([
  'uid',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  'resourceVersion',
  'managedFields',
  'creationTimestamp',
  'selfLink',
  'endpoints.kubernetes.io/last-change-trigger-time',
]);
/** Of Pods only what their controllers decide: the rest is the kubelet's. */
const POD_PARTS: ReadonlySet<string> = new Set(['metadata', 'spec']);
/** They are written step by step, or several steps at once. */
const OFTEN_WRITTEN: ReadonlySet<string> = new Set(['replicasets', 'endpointslices']);
const GENERATION = /"(generation|observedGeneration)": \d+/g;
/** Whether the first Pod of a rollout is seen as progress depends on whether the Deployment was looked at before it was there. */
const ROLLING = /"(?:Created new replica set \\"[^"]*\\"|ReplicaSet \\"[^"]*\\" is progressing\.|NewReplicaSetCreated|ReplicaSetUpdated)"/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const POD_ADDRESS = /\b10\.244\.\d+\.\d+\b/g;

/** Everything that controllers have made in a namespace, in a form in which two servers can be compared. */
export async function stateOf(speaker: Speaker, namespace: string): Promise<Readonly<Record<string, unknown>>> {
  const found = new Map<string, readonly Item[]>();
  for (const [plural, path] of Object.entries(KINDS)) {
    const { text } = await speaker.ask({ method: 'GET', path: `${path}/namespaces/${namespace}/${plural}` });
    found.set(plural, (JSON.parse(text) as { readonly items: readonly Item[] }).items);
  }
  const names = new Map<string, string>();
  for (const { metadata } of found.get('replicasets') ?? []) {
    const hash = metadata.labels?.['pod-template-hash'];
    if (hash !== undefined) names.set(hash, `hash-${metadata.annotations?.['deployment.kubernetes.io/revision']}`);
  }
  for (const { metadata, revision } of found.get('controllerrevisions') ?? [])
    names.set(metadata.name.split('-').at(-1) ?? '', `hash-${revision}`);
  const hide = (text: string): string =>
    [...names]
      .reduce((shown, [hash, name]) => shown.replaceAll(hash, name), text)
      .replaceAll(TIME, 'TIME')
      .replaceAll(POD_ADDRESS, 'ADDRESS');
  return Object.fromEntries([...found].map(([plural, items]) => [plural, items.map((item) => shown(plural, item, hide)).sort()]));
}

function shown(plural: string, item: Item, hide: (text: string) => string): string {
  const parts = Object.entries(item).filter(([part]) => plural !== 'pods' || POD_PARTS.has(part));
  const whole = hide(JSON.stringify(masked(Object.fromEntries(parts)), undefined, 1));
  const text = OFTEN_WRITTEN.has(plural) ? whole.replaceAll(GENERATION, '"$1": 0') : whole;
  const { name, generateName } = item.metadata;
  const isDrawn = generateName !== undefined && name.length === generateName.length + 5;
  const generated = !isDrawn ? text : text.replaceAll(hide(name), `${hide(generateName)}*`);
  // Endpoints name Pods, whose names are drawn.
  const hidden = generated
    .replaceAll(/("kind": "Pod",\s+"name": "[a-z0-9-]+)-[a-z0-9]{5}"/g, '$1-*"')
    .replaceAll(/pod play\/([a-z-]+)-[a-z0-9]{5} /g, 'pod play/$1-* ')
    .replaceAll(/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access')
    .replaceAll(ROLLING, 'ROLLING');
  return plural === 'endpointslices' || plural === 'endpoints' ? JSON.stringify(JSON.parse(hidden, inOneOrder), undefined, 1) : hidden;
}

/** Endpoints stand in an order that a hash map or their drawn addresses decided; only after all drawn words are hidden can they be sorted. */
function inOneOrder(_key: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .map((item) => JSON.stringify(item))
    .sort()
    .map((item): unknown => JSON.parse(item));
}

function masked(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(masked);
  const entries = Object.entries(value).filter(([key]) => !MASKED.has(key));
  // Annotations of which only times were told.
  const told = entries.filter(([key, item]) => key !== 'annotations' || Object.keys(masked(item) as object).length > 0);
  return Object.fromEntries(told.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, item]) => [key, masked(item)]));
}
