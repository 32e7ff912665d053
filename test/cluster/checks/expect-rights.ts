import type { Cluster } from '../harness/index.js';

/** Who is asked about. */
export type Subject =
  | { readonly serviceAccount: string; readonly namespace: string }
  | { readonly user: string; readonly groups?: readonly string[] };

/** One question to the authorizer. Without a namespace it is about all namespaces, or about a cluster-scoped resource. */
export type Right =
  | {
      readonly verb: string;
      /** Default `''`, the core group. */
      readonly group?: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly name?: string;
      readonly namespace?: string;
    }
  | { readonly verb: string; readonly path: string };

interface Review {
  readonly status: { readonly allowed: boolean; readonly reason?: string; readonly evaluationError?: string };
}

/** Expects the API server's authorizer to say yes to every allowed right and no to every refused one. All wrong answers are shown at once. */
export async function expectRights(
  cluster: Cluster,
  subject: Subject,
  { allowed, refused }: { readonly allowed: readonly Right[]; readonly refused: readonly Right[] },
): Promise<void> {
  const answers = async (rights: readonly Right[]): Promise<string[]> => {
    const reviews = await Promise.all(rights.map((right) => isAllowed(cluster, subject, right)));
    return rights.map((right, index) => `${reviews[index] ? 'allowed' : 'refused'}: ${titleOf(right)}`);
  };
  const [found, expected] = [
    [...(await answers(allowed)), ...(await answers(refused))],
    [...allowed.map((right) => `allowed: ${titleOf(right)}`), ...refused.map((right) => `refused: ${titleOf(right)}`)],
  ];
  expect(found).toEqual(expected);
}

async function isAllowed(cluster: Cluster, subject: Subject, right: Right): Promise<boolean> {
  const review = await cluster.must<Review>('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { ...identityOf(subject), ...attributesOf(right) },
  });
  // Rules that refer to a role that does not exist are an error of the manifests, not a "no".
  if (review.status.evaluationError !== undefined) throw new Error(`${titleOf(right)}: ${review.status.evaluationError}`);
  return review.status.allowed;
}

function identityOf(subject: Subject): { user: string; groups: readonly string[] } {
  if ('user' in subject) return { user: subject.user, groups: [...(subject.groups ?? []), 'system:authenticated'] };
  const { namespace, serviceAccount } = subject;
  return {
    user: `system:serviceaccount:${namespace}:${serviceAccount}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

function attributesOf(right: Right): object {
  return 'path' in right ? { nonResourceAttributes: right } : { resourceAttributes: right };
}

function titleOf(right: Right): string {
  if ('path' in right) return `${right.verb} ${right.path}`;
  const resource = [right.resource, right.subresource].filter((part) => part !== undefined).join('/');
  const group = right.group === undefined || right.group === '' ? '' : `.${right.group}`;
  const name = right.name === undefined ? '' : ` ${right.name}`;
  return `${right.verb} ${resource}${group}${name} in ${right.namespace ?? 'the whole cluster'}`;
}
