import type { OperatorModel } from '../model.js';
import type { CertificatePermissions } from '../permissions/index.js';
import type { SelfManagedCertificateSettings } from '../runtime-settings.js';
import { convertedResources, crdName, type InstallationNames } from './names.js';

/**
 * Settings of a self-managed certificate. With `isShown: false` the API server is shown another certificate, and the process writes its authority into
 * nothing.
 */
export function selfManagedCertificate(
  model: OperatorModel,
  names: InstallationNames,
  { dnsNames, isShown = true }: { readonly dnsNames: readonly string[]; readonly isShown?: boolean },
): SelfManagedCertificateSettings {
  return {
    mode: 'selfManaged',
    secretName: names.certificate,
    dnsNames,
    mutatingConfiguration: isShown ? names.mutatingConfiguration : undefined,
    validatingConfiguration: isShown ? names.validatingConfiguration : undefined,
    conversionCrds: isShown ? convertedResources(model).map(crdName) : [],
  };
}

/** The objects that the process writes for a self-managed certificate, as {@link permissionsOf} takes them. */
export function selfManagedPermissions(settings: SelfManagedCertificateSettings): CertificatePermissions {
  return {
    mode: 'selfManaged',
    secretName: settings.secretName,
    mutatingWebhookConfigurations: settings.mutatingConfiguration === undefined ? [] : [settings.mutatingConfiguration],
    validatingWebhookConfigurations: settings.validatingConfiguration === undefined ? [] : [settings.validatingConfiguration],
    customResourceDefinitions: settings.conversionCrds,
  };
}
