import { X509Certificate } from 'node:crypto';
import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '@keelson/kubernetes/apimachinery';
import type { DefinitionSpec } from './definition.js';
import { parseGoUrl } from './go-url.js';

type Conversion = NonNullable<DefinitionSpec['conversion']>;
type ClientConfig = NonNullable<NonNullable<Conversion['webhook']>['clientConfig']>;
type Service = NonNullable<ClientConfig['service']>;

/** Source: apiextensions-apiserver, `validateCustomResourceConversion`; paths are those of the internal type. */
export function conversionErrors(conversion: Conversion | undefined, path: string, allowsInvalidBundle: boolean): readonly FieldError[] {
  if (conversion === undefined) return [];
  const { strategy, webhook } = conversion;
  const known = strategy === 'None' || strategy === 'Webhook';
  const strategyErrors = known
    ? []
    : [strategy === '' ? required(`${path}.strategy`) : notSupported(`${path}.strategy`, strategy, ['None', 'Webhook'])];
  const config = webhook?.clientConfig ?? undefined;
  const reviews = webhook?.conversionReviewVersions ?? undefined;
  if (strategy === 'Webhook') {
    const configPath = `${path}.webhookClientConfig`;
    const missing = required(configPath, 'required when strategy is set to Webhook');
    return [
      ...(config === undefined ? [missing] : clientConfigErrors(config, configPath, allowsInvalidBundle)),
      ...reviewVersionErrors(reviews ?? [], `${path}.conversionReviewVersions`),
    ];
  }
  const text = 'should not be set when strategy is not set to Webhook';
  return [
    ...strategyErrors,
    ...(config === undefined ? [] : [forbidden(`${path}.webhookClientConfig`, text)]),
    ...(reviews === undefined || reviews.length === 0 ? [] : [forbidden(`${path}.conversionReviewVersions`, text)]),
  ];
}

function clientConfigErrors({ url, service, caBundle }: ClientConfig, path: string, allowsInvalidBundle: boolean): readonly FieldError[] {
  const [hasUrl, hasService] = [(url ?? undefined) !== undefined, (service ?? undefined) !== undefined];
  const place =
    hasUrl === hasService
      ? [required(path, 'exactly one of url or service is required')]
      : hasUrl
        ? webhookUrlErrors(url as string, `${path}.url`)
        : webhookServiceErrors(service as Service, `${path}.service`);
  const bundle = caBundle ?? '';
  const problem = allowsInvalidBundle ? undefined : caBundleProblem(bundle);
  return [...place, ...(problem === undefined ? [] : [invalid(`${path}.caBundle`, bundle, problem)])];
}

/** Source: apiserver, `pkg/util/webhook/validation.go`. */
export function webhookUrlErrors(url: string, path: string): readonly FieldError[] {
  const form = '; desired format: https://host[/path]';
  const parsed = parseGoUrl(url);
  if (typeof parsed === 'string') return [required(path, `url must be a valid URL: ${parsed}${form}`)];
  const { scheme, host, user, fragment, query } = parsed;
  return [
    ...(scheme === 'https' ? [] : [invalid(path, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalid(path, host, `host must be specified${form}`)] : []),
    ...(user === undefined ? [] : [invalid(path, user, 'user information is not permitted in the URL')]),
    ...(fragment === '' ? [] : [invalid(path, fragment, 'fragments are not permitted in the URL')]),
    ...(query === '' ? [] : [invalid(path, query, 'query parameters are not permitted in the URL')]),
  ];
}

export function webhookServiceErrors({ name, namespace, path: urlPath, port = 443 }: Service, path: string): readonly FieldError[] {
  const inRange = Number.isInteger(port) && port >= 1 && port <= 65535;
  // The server hands name and namespace over in the wrong order: the other one is called missing.
  return [
    ...(namespace === '' ? [required(`${path}.name`)] : []),
    ...(name === '' ? [required(`${path}.namespace`)] : []),
    ...(inRange ? [] : [invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')]),
    ...servicePathErrors(urlPath ?? '', `${path}.path`),
  ];
}

function servicePathErrors(urlPath: string, path: string): readonly FieldError[] {
  if (urlPath === '' || urlPath === '/') return [];
  if (urlPath === '//') return [invalid(path, urlPath, 'segment[0] may not be empty')];
  const steps = urlPath.slice(1).replace(/\/$/, '').split('/');
  return [
    ...(urlPath.startsWith('/') ? [] : [invalid(path, urlPath, "must start with a '/'")]),
    ...steps.flatMap((step, index) =>
      step === ''
        ? [invalid(path, urlPath, `segment[${index}] may not be empty`)]
        : dns1123SubdomainProblems(step).map((problem) => invalid(path, urlPath, `segment[${index}]: ${problem}`)),
    ),
  ];
}

const PEM_BLOCK = /-----BEGIN ([^-]*)-----\r?\n([\s\S]*?)-----END \1-----/g;

/** Why base64 of PEM holds no certificate authority; undefined where it does, or is empty. */
export function caBundleProblem(base64: string): string | undefined {
  if (base64 === '') return undefined;
  const prefix = 'unable to load root certificates: ';
  const blocks = [...Buffer.from(base64, 'base64').toString('latin1').matchAll(PEM_BLOCK)];
  if (blocks.length === 0) return `${prefix}unable to parse bytes as PEM block`;
  const certificates = blocks.filter(([, type, body = '']) => type === 'CERTIFICATE' && !body.includes(':'));
  const readable = certificates.map(([text]) => isCertificate(text));
  if (readable.includes(true)) return undefined;
  return certificates.length === 0
    ? `${prefix}no valid certificate authority data seen`
    : `${prefix}failed to parse certificate: x509: malformed certificate`;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    // A certificate that cannot be read vouches for no server.
    return false;
  }
}

const REVIEW_VERSIONS = ['v1', 'v1beta1'];

function reviewVersionErrors(versions: readonly string[], path: string): readonly FieldError[] {
  if (versions.length === 0) return [required(path)];
  const errors = versions.flatMap((version, index) =>
    versions.indexOf(version) < index
      ? [invalid(`${path}[${index}]`, version, 'duplicate version')]
      : dns1035LabelProblems(version).map((problem) => invalid(`${path}[${index}]`, version, problem)),
  );
  const accepted = versions.some((version) => REVIEW_VERSIONS.includes(version));
  return accepted ? errors : [...errors, invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`)];
}
