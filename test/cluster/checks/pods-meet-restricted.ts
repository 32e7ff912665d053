import { type Cluster, isStatus, type TestObject } from '../harness/index.js';

interface PodTemplate {
  readonly metadata?: TestObject['metadata'];
  readonly spec: { readonly serviceAccountName?: string; readonly [field: string]: unknown };
}

const RESTRICTED = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/warn': 'restricted',
};

/**
 * Expects Pods of these workloads (Deployment, StatefulSet, DaemonSet, Job, CronJob, PodTemplate) to be taken without a warning in a namespace that
 * enforces the `restricted` Pod Security Standard. Two questions each: the workload itself (which only warns) and a Pod from its template (which is
 * refused). Everything but the ServiceAccount is a dry run.
 */
export async function podsMeetRestricted(cluster: Cluster, owners: readonly TestObject[]): Promise<void> {
  const namespace = await cluster.namespace('restricted', RESTRICTED);
  for (const owner of owners) {
    const { metadata, spec } = templateOf(owner);
    await provideServiceAccount(cluster, namespace, spec.serviceAccountName);
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { labels: metadata?.labels, name: 'from-template', namespace }, spec };
    const moved = { ...owner, metadata: { name: owner.metadata.name, labels: owner.metadata.labels, namespace } };
    expect({ owner: titleOf(owner), ...(await dryRun(cluster, moved)) }).toEqual({
      owner: titleOf(owner),
      status: 201,
      warnings: [],
      message: undefined,
    });
    expect({ podOf: titleOf(owner), ...(await dryRun(cluster, pod)) }).toEqual({
      podOf: titleOf(owner),
      status: 201,
      warnings: [],
      message: undefined,
    });
  }
}

async function dryRun(
  cluster: Cluster,
  object: TestObject,
): Promise<{ status: number; warnings: readonly string[]; message: string | undefined }> {
  const query = { dryRun: 'All', fieldValidation: 'Strict' };
  const { status, warnings, body } = await cluster.request('POST', await cluster.paths.collectionOf(object), object, { query });
  return { status, warnings, message: isStatus(body) ? body.message : undefined };
}

/** Admission looks up the account that a Pod names. */
async function provideServiceAccount(cluster: Cluster, namespace: string, name: string | undefined): Promise<void> {
  if (name === undefined || name === 'default') return;
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  if ((await cluster.request('GET', `${path}/${name}`)).status === 200) return;
  await cluster.must('POST', path, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
}

function templateOf(owner: TestObject): PodTemplate {
  const template =
    owner.kind === 'PodTemplate'
      ? owner['template']
      : owner.kind === 'CronJob'
        ? (owner['spec'] as { jobTemplate: { spec: { template: PodTemplate } } }).jobTemplate.spec.template
        : (owner['spec'] as { template?: PodTemplate } | undefined)?.template;
  if (template === undefined) throw new Error(`${titleOf(owner)} has no pod template`);
  return template as PodTemplate;
}

function titleOf({ kind, metadata }: TestObject): string {
  return `${kind} ${metadata.name}`;
}
