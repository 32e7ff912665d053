import { isIPText } from '@keelson/kubernetes/apimachinery';
import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import {
  type CertificateWiring,
  type CertManagerSource,
  certificateDurations,
  type Installation,
  type InstallationPart,
  type IssuerReference,
  installationOfPart,
  partMetadata,
} from '../installation/index.js';
import { ConstructError, ManifestObject } from '../object/index.js';

export type WebhookCertificatesProps = InstallationPart;

const CERT_MANAGER = 'cert-manager.io';
/** ECDSA P-256: small, fast to check, accepted everywhere. `Always`: a renewed certificate gets a new key. */
const PRIVATE_KEY = { algorithm: 'ECDSA', size: 256, rotationPolicy: 'Always' } as const;
/** Ten years: the CA signs only this operator's certificate, and changing it is the risky moment (H61). */
const CA_DURATION = '87600h';

/**
 * The certificate that the webhook server and secure metrics are served with.
 *
 * `selfManaged` and `secret` emit nothing: the process, or another tool, writes the Secret, and no key is ever in a manifest. `certManager` emits
 * a Certificate; without a given issuer also a CA of its own, so that renewing the serving certificate does not change the CA (H61).
 *
 * @example
 * ```ts
 * const { secretName, dnsNames } = new WebhookCertificates(chart, 'certificates', { installation });
 * ```
 */
export class WebhookCertificates extends Construct {
  /** Secret that holds (or will hold) `tls.crt`, `tls.key` and `ca.crt`. */
  readonly secretName: string;
  /** Names that the certificate must be valid for. */
  readonly dnsNames: readonly string[];
  /** `<namespace>/<name>` for `cert-manager.io/inject-ca-from`, with cert-manager. */
  readonly caInjection: string | undefined;
  /** The cert-manager Certificate, with cert-manager. */
  readonly certificate: ApiObject | undefined;
  readonly #installation: Installation;

  constructor(scope: Construct, id: string, props: WebhookCertificatesProps) {
    super(scope, id);
    this.#installation = installationOfPart(this, props);
    const wiring = this.#installation.certificates;
    if (wiring === undefined) {
      throw new ConstructError(
        this,
        `operator ${this.#installation.model.name} serves nothing over TLS: it has no webhooks, no conversions and no secure metrics`,
      );
    }
    this.secretName = wiring.secretName;
    this.dnsNames = wiring.dnsNames;
    this.caInjection = wiring.caInjection;
    const { source } = wiring;
    this.certificate = typeof source === 'object' && 'certManager' in source ? this.#certificate(wiring, source.certManager) : undefined;
  }

  #certificate(wiring: CertificateWiring, options: CertManagerSource['certManager']): ApiObject {
    const name = this.#installation.names.certificate;
    return this.#object('certificate', 'Certificate', name, {
      secretName: wiring.secretName,
      ...namesOf(wiring.dnsNames),
      ...certificateDurations(options),
      issuerRef: issuerReference(options.issuer ?? this.#ownAuthority(name)),
      privateKey: PRIVATE_KEY,
      usages: ['digital signature', 'server auth'],
    });
  }

  #ownAuthority(name: string): IssuerReference {
    const authority = `${name}-ca`;
    const selfSigned = `${name}-selfsigned`;
    this.#object('selfsigned-issuer', 'Issuer', selfSigned, { selfSigned: {} });
    this.#object('ca-certificate', 'Certificate', authority, {
      isCA: true,
      commonName: authority.slice(0, 64), // X.509 ends there
      secretName: authority,
      duration: CA_DURATION,
      issuerRef: issuerReference({ name: selfSigned }),
      privateKey: { ...PRIVATE_KEY, rotationPolicy: 'Never' },
      usages: ['cert sign', 'crl sign', 'digital signature'],
    });
    this.#object('ca-issuer', 'Issuer', authority, { ca: { secretName: authority } });
    return { name: authority };
  }

  #object(id: string, kind: string, name: string, spec: object): ApiObject {
    const metadata = partMetadata(this, this.#installation, { name });
    return new ManifestObject(this, id, { apiVersion: `${CERT_MANAGER}/v1`, kind, scope: 'Namespaced', metadata, body: { spec } });
  }
}

/** cert-manager has a field for each sort; an empty one is left out. */
function namesOf(names: readonly string[]): object {
  const ipAddresses = names.filter((name) => isIPText(name));
  const dnsNames = names.filter((name) => !isIPText(name));
  return { ...(dnsNames.length === 0 ? {} : { dnsNames }), ...(ipAddresses.length === 0 ? {} : { ipAddresses }) };
}

function issuerReference({ name, kind = 'Issuer', group = CERT_MANAGER }: IssuerReference): object {
  return { group, kind, name };
}
