import type { Behaviour } from '../behaviour.js';
import type { ServiceAccount } from '../drafts.js';

const MOUNTABLE_SECRETS = 'kubernetes.io/enforce-mountable-secrets';

/** Source: kubernetes `pkg/registry/core/serviceaccount`. */
export const serviceAccounts: Behaviour<ServiceAccount> = {
  prepareForCreate: keepNamesOfSecrets,
  warningsOnCreate: mountableSecretsWarnings,
  prepareForUpdate: keepNamesOfSecrets,
  warningsOnUpdate: (account, old) => (isEnforcing(old) ? [] : mountableSecretsWarnings(account)),
  revalidatesMetadata: true,
};

function keepNamesOfSecrets(account: ServiceAccount): void {
  if (account.secrets) account.secrets = account.secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

function isEnforcing({ metadata }: ServiceAccount): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, MOUNTABLE_SECRETS);
}

function mountableSecretsWarnings(account: ServiceAccount): readonly string[] {
  const text = `metadata.annotations[${MOUNTABLE_SECRETS}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;
  return isEnforcing(account) ? [text] : [];
}
