import type { KubernetesObject, Stored } from 'keelson';
import { CertificateError } from 'keelson/certificates';
import { type Pod, Secret } from 'keelson/kinds';
import type { EtcdTls } from '../client/api.js';
import type { ClusterContext } from '../cluster/access.js';
import { authoritySecretName, hostOf, seedName, selectorLabels, tlsSecretsOf } from '../cluster/names.js';
import { authoritiesIn, madeAt } from './authorities.js';
import { certificateProblem, chainOf, endOf, lastMoment } from './check.js';
import { filesOf, isProblem, ROLES, type Role, type TlsFiles, type TlsProblem } from './files.js';
import { issued } from './issue.js';

/** How members and the operator know each other. */
export interface Certificates {
  /** Absent without TLS, or when the operator's own cannot be used. */
  readonly tls?: EtcdTls | undefined;
  readonly problem?: TlsProblem | undefined;
  /** When the first of them ends. */
  readonly until?: Date | undefined;
  /** For people: processes that would not trust the next authority, whose turn it is. */
  readonly waiting?: string | undefined;
}

/** A new Secret is in the files of a Pod after so long at the latest. */
const PROPAGATION_MS = 120_000;

// #region certificates
/** Reads the Secrets of a cluster, after those that the operator makes were made or renewed, and judges what they hold. */
export async function certificatesOf(context: ClusterContext): Promise<Certificates> {
  const { object, secrets, now } = context;
  const names = tlsSecretsOf(object);
  const kept = object.spec.TLS?.managed === undefined ? {} : await keep(context);
  if (kept.problem !== undefined) return kept;
  const files = new Map<Role, TlsFiles>();
  let problem: TlsProblem | undefined;
  for (const role of ROLES) {
    const name = names[role];
    if (name === undefined) continue;
    const found = filesOf(role, name, secrets.get(name));
    if (isProblem(found)) problem ??= found;
    else files.set(role, found);
  }
  problem ??= certificateProblem({ files, nameOf: (role) => names[role] ?? '', host: hostOf(object, seedName(object)), now: now() });
  const client = files.get('client');
  const tls = client === undefined ? undefined : { ca: client.authority, cert: client.certificate, key: client.key };
  return { tls, problem, until: endOf(files), ...kept };
}
// #endregion

/** Makes and renews the Secrets of a cluster whose certificates are the operator's. */
async function keep(context: ClusterContext): Promise<Pick<Certificates, 'problem' | 'waiting'>> {
  const { object, secrets, pods, now, log } = context;
  const tls = object.spec.TLS?.managed;
  if (tls === undefined) return {};
  const store = authoritySecretName(object);
  const secretNames = tlsSecretsOf(object);
  const names = [store, ...ROLES.flatMap((role) => secretNames[role] ?? [])];
  const held = new Map(
    names.flatMap((name) => [secrets.get(name)].flatMap((secret) => (secret === undefined ? [] : [[name, secret] as const]))),
  );
  const taken = [...held.values()].find((secret) => !isChild(secret, object));
  if (taken !== undefined)
    return problemOf('SecretTaken', `the Secret ${taken.metadata.name} is there and is not of this cluster: delete or rename it`);
  if (authoritiesIn(held.get(store)) === undefined && (held.size > 0 || object.status?.clusterID !== undefined))
    return problemOf('AuthorityLost', `the Secret ${store} is gone or damaged, and members trust its authorities alone: put it back`);
  const limits = { now: now(), trusts: (at: Date) => untrusting(pods.list(), at).length === 0 };
  try {
    for (const [name, texts] of issued({ cluster: object, tls, held, ...limits })) {
      const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
      const before = held.get(name);
      if (before === undefined) await secrets.create(Secret({ metadata: metadataOf(object, name), type: 'Opaque', data }));
      else if (Object.entries(data).some(([key, text]) => before.data?.[key] !== text))
        await secrets.update({ ...before, data: { ...before.data, ...data } });
      else continue;
      log.info('certificates have been written', { secret: name });
    }
  } catch (error) {
    if (error instanceof CertificateError) return problemOf('CannotIssue', error.message);
    throw error;
  }
  return { waiting: waitingOf(context, tls.authorityLifeInSecond * 1_000) };
}

/** Why the next authority waits although its turn has come: the Pods that would not trust it. */
function waitingOf({ object, secrets, pods, now }: ClusterContext, lifeMs: number): string | undefined {
  const authorities = authoritiesIn(secrets.get(authoritySecretName(object)));
  if (authorities === undefined || now().getTime() - madeAt(authorities.next).getTime() < lifeMs / 3) return undefined;
  const names = untrusting(pods.list(), madeAt(authorities.next)).join(', ');
  const [current] = chainOf(authorities.current.certificate);
  if (names === '' || current === undefined) return undefined;
  return `${names} started before the next authority was made, and must be restarted before ${lastMoment(current).toISOString()}`;
}

/** Pods whose processes may have read their files before an authority was in them. */
export function untrusting(pods: readonly Stored<Pod>[], madeAt: Date): string[] {
  const since = madeAt.getTime();
  return pods
    .filter(({ metadata, status }) => {
      if (metadata.deletionTimestamp !== undefined || Date.parse(metadata.creationTimestamp ?? '') >= since) return false;
      const started = status?.containerStatuses?.find(({ name }) => name === 'etcd')?.state?.running?.startedAt;
      return started === undefined || Date.parse(started) < since + PROPAGATION_MS;
    })
    .map(({ metadata }) => metadata.name)
    .sort();
}

function problemOf(reason: TlsProblem['reason'], message: string): { readonly problem: TlsProblem } {
  return { problem: { reason, message } };
}

function isChild({ metadata }: KubernetesObject, owner: ClusterContext['object']): boolean {
  return metadata?.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;
}

function metadataOf(object: ClusterContext['object'], name: string) {
  const { apiVersion, kind, metadata } = object;
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true, blockOwnerDeletion: true };
  return { name, namespace: metadata.namespace, labels: selectorLabels(object), ownerReferences: [owner] };
}
