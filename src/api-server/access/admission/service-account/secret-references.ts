import type { Container, EphemeralContainer, Pod, ServiceAccount, Volume } from '@keelson/kubernetes/kinds';

type PodSpec = NonNullable<Pod['spec']>;

/** The problem of a pod whose service account allows its own secrets only; undefined: nothing. */
export function checkSecrets(spec: PodSpec, account: ServiceAccount): string | undefined {
  const allowed = new Set(account.secrets?.map(({ name = '' }) => name));
  const name = account.metadata?.name ?? '';
  for (const { secret } of spec.volumes ?? []) {
    const { secretName = '' } = secret ?? {};
    if (secret !== undefined && !allowed.has(secretName)) {
      return `volume with secret.secretName="${secretName}" is not allowed because service account ${name} does not reference that secret`;
    }
  }
  const inContainers =
    checkContainers('init container', spec.initContainers ?? [], account) ?? checkContainers('container', spec.containers ?? [], account);
  return inContainers ?? checkPullSecrets(spec, account);
}

export function checkEphemeralContainers(containers: readonly EphemeralContainer[], account: ServiceAccount): string | undefined {
  return checkContainers('ephemeral container', containers, account);
}

function checkPullSecrets({ imagePullSecrets = [] }: PodSpec, account: ServiceAccount): string | undefined {
  const allowed = new Set(account.imagePullSecrets?.map(({ name = '' }) => name));
  for (const [index, { name = '' }] of imagePullSecrets.entries()) {
    if (allowed.has(name)) continue;
    return `imagePullSecrets[${index}].name="${name}" is not allowed because service account ${account.metadata?.name ?? ''} does not reference that imagePullSecret`;
  }
  return undefined;
}

function checkContainers(
  what: string,
  containers: readonly (Container | EphemeralContainer)[],
  { secrets = [], metadata }: ServiceAccount,
): string | undefined {
  const allowed = new Set(secrets.map(({ name = '' }) => name));
  const refusal = (where: string, secret: string): string =>
    `${where} referencing secret.secretName="${secret}" is not allowed because service account ${metadata?.name ?? ''} does not reference that secret`;
  for (const { name, env = [], envFrom = [] } of containers) {
    for (const { name: variable, valueFrom } of env) {
      const secret = valueFrom?.secretKeyRef;
      if (secret !== undefined && !allowed.has(secret.name ?? ''))
        return refusal(`${what} ${name} with envVar ${variable}`, secret.name ?? '');
    }
    for (const { secretRef } of envFrom) {
      if (secretRef !== undefined && !allowed.has(secretRef.name ?? ''))
        return refusal(`${what} ${name} with envFrom`, secretRef.name ?? '');
    }
  }
  return undefined;
}

/** Whether a pod needs any secret. Source: kubernetes `pkg/api/pod` (`VisitPodSecretNames`). */
export function referencesSecrets(spec: PodSpec): boolean {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  const names = [
    ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
    ...containers.flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ]),
    ...(spec.volumes ?? []).flatMap(secretsOfVolume),
  ];
  return names.some((name) => name !== undefined && name !== '');
}

function secretsOfVolume(volume: Volume): readonly (string | undefined)[] {
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, projected, rbd, scaleIO, secret, storageos } = volume;
  return [
    azureFile?.secretName,
    csi?.nodePublishSecretRef?.name,
    secret?.secretName,
    ...[cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos].map((source) => source?.secretRef?.name),
    ...(projected?.sources ?? []).map((source) => source.secret?.name),
  ];
}
