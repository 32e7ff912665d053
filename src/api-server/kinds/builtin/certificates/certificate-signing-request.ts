import { X509Certificate } from 'node:crypto';
import {
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  duplicate,
  forbidden,
  goQuote,
  invalid,
  notSupported,
  required,
  tooLong,
} from '@keelson/kubernetes/apimachinery';
import { pemBlocks, readCertificateRequest } from '../../../access/index.js';
import type { RequestContext } from '../../../contract/index.js';
import type { Behaviour } from '../behaviour.js';
import { declaredErrors, type Errors, those } from '../checks/index.js';
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '../drafts.js';
import { fieldLabels } from '../field-labels.js';
import { keepSpec, keepStatus } from '../generation.js';

const USAGES = [
  ...['any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment', 'decipher only'],
  ...['digital signature', 'email protection', 'encipher only', 'ipsec end system', 'ipsec tunnel', 'ipsec user', 'key agreement'],
  ...['key encipherment', 'microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime', 'server auth', 'signing', 'timestamping'],
];
const LEGACY_SIGNER = 'kubernetes.io/legacy-unknown';
const MIN_SECONDS = 600;
const MAX_DOMAIN = 253;
const MAX_SIGNER = 571;

type Condition = CertificateSigningRequestCondition;
type Conditions = readonly Condition[];

/**
 * Requests are what they were when they were made: later writes change their status only, each subresource a part of it.
 *
 * Source: kubernetes `pkg/registry/certificates/certificates`, `pkg/apis/certificates/validation`.
 */
export const certificateSigningRequests: Behaviour<CertificateSigningRequest> = {
  nameProblems: () => [],
  fieldLabels: fieldLabels(['spec.signerName']),

  prepareForCreate(request, { user }) {
    const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec;
    request.spec = { ...spec, ...userFields(user) };
    request.status = {};
  },
  validate: (request) => requestErrors(request, undefined),

  prepareForUpdate(request, old) {
    keepSpec(request, old);
    keepStatus(request, old);
  },
  validateUpdate: (request, old) => updateErrors(request, old, 'nothing'),
  revalidatesMetadata: true,

  prepareForStatusUpdate(request, old, { now }) {
    keepSpec(request, old);
    const before = old.status?.conditions ?? [];
    const conditions = kept(request.status?.conditions ?? [], before, ['Approved', 'Denied']);
    request.status = { ...request.status, conditions: stamped(conditions, before, timeOf(now())) };
  },
  validateStatusUpdate: (request, old) => updateErrors(request, old, 'certificate'),

  variants: {
    approval: {
      prepareForUpdate(request, old, { now }) {
        keepSpec(request, old);
        const conditions = stamped(request.status?.conditions ?? [], old.status?.conditions ?? [], timeOf(now()));
        keepStatus(request, old);
        request.status = { ...request.status, conditions };
      },
      validateUpdate: (request, old) => updateErrors(request, old, 'approval'),
    },
  },
  resetFields: { '': ['spec', 'status'], status: ['spec', 'status.conditions'], approval: ['spec', 'status.certificate'] },
};

function userFields({
  username,
  uid,
  groups,
  extra,
}: RequestContext['user']): Pick<CertificateSigningRequest['spec'], 'extra' | 'groups' | 'uid' | 'username'> {
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups: [...groups],
    ...(extra === undefined ? {} : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  };
}

function timeOf(now: Date): string {
  return `${now.toISOString().slice(0, 19)}Z`;
}

/** Where as many of a type are left as there were, they are those that there were. */
function kept(conditions: Conditions, old: Conditions, types: readonly string[]): Conditions {
  return types.reduce((list, type) => {
    const before = old.filter((condition) => condition.type === type);
    if (list.filter((condition) => condition.type === type).length !== before.length) return list;
    let next = 0;
    return list.map((condition) => (condition.type === type ? (before[next++] ?? condition) : condition));
  }, conditions);
}

function stamped(conditions: Conditions, old: Conditions, now: string): Condition[] {
  const isUnset = (time: unknown): boolean => time === undefined || time === null;
  return conditions.map((condition) => {
    const same = old.find(
      ({ type, status, lastTransitionTime: at }) => type === condition.type && status === condition.status && !isUnset(at),
    );
    return {
      ...condition,
      ...(isUnset(condition.lastUpdateTime) && { lastUpdateTime: now as never }),
      ...(isUnset(condition.lastTransitionTime) && { lastTransitionTime: same?.lastTransitionTime ?? (now as never) }),
    };
  });
}

function requestErrors({ spec, status }: CertificateSigningRequest, old: CertificateSigningRequest | undefined): Errors {
  const usages: readonly string[] = spec.usages ?? [];
  const oldUsages: readonly string[] = old?.spec.usages ?? [];
  const { request: pem }: { readonly request?: string } = spec;
  const request = readCertificateRequest(pem ?? '');
  const problem = 'problem' in request ? request.problem : request.signatureProblem;
  const { expirationSeconds: seconds } = spec;
  const certificate = certificateProblem(status?.certificate ?? '');
  const isTolerated =
    old !== undefined &&
    ((status?.certificate ?? '') === (old.status?.certificate ?? '') || certificateProblem(old.status?.certificate ?? '') !== undefined);
  return those(
    problem !== undefined && invalid('spec.request', pem ?? null, problem),
    usages.length === 0 && required('spec.usages'),
    oldUsages.every((usage) => USAGES.includes(usage)) && unknownUsageErrors(usages),
    !hasDoubles(oldUsages) && doubleErrors(usages, (index) => `spec.usages[${index}]`),
    spec.signerName === LEGACY_SIGNER && old?.spec.signerName !== LEGACY_SIGNER
      ? [invalid('spec.signerName', spec.signerName, 'the legacy signerName is not allowed via this API version')]
      : signerNameErrors(spec.signerName, 'spec.signerName'),
    seconds !== undefined &&
      seconds < MIN_SECONDS &&
      invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'),
    conditionErrors(status?.conditions ?? [], old?.status?.conditions ?? [], 'status.conditions'),
    !(certificate === undefined || isTolerated) && invalid('status.certificate', '<certificate data>', certificate),
  );
}

function unknownUsageErrors(usages: readonly string[]): Errors {
  return usages.flatMap((usage, index) => (USAGES.includes(usage) ? [] : [notSupported(`spec.usages[${index}]`, usage, USAGES)]));
}

function hasDoubles(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}

function doubleErrors(values: readonly string[], pathOf: (index: number) => string): Errors {
  return values.flatMap((value, index) => (values.indexOf(value) < index ? [duplicate(pathOf(index), value)] : []));
}

function signerNameErrors(name: string, path: string): Errors {
  if (name === '') return [required(path)];
  const segments = name.split('/');
  const [domain = '', last = ''] = segments;
  if (segments.length !== 2) {
    return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const labels = domain.split('.');
  // The first of several bad labels is reported.
  const labelErrors = (value: string, list: readonly string[], problemsOf: (label: string) => readonly string[]): Errors => {
    const bad = list.find((label) => problemsOf(label).length > 0);
    if (bad === undefined) return [];
    return problemsOf(bad).map((problem) => invalid(path, value, `validating label ${goQuote(bad)}: ${problem}`));
  };
  return those(
    domain.length > MAX_DOMAIN && tooLong(path, MAX_DOMAIN),
    labelErrors(domain, labels, dns1123LabelProblems),
    labels.length < 2 && invalid(path, domain, 'should be a domain with at least two segments separated by dots'),
    labelErrors(last, last.split('.'), dns1123SubdomainProblems),
    name.length > MAX_SIGNER && tooLong(path, MAX_SIGNER),
  );
}

const BOTH = ['Approved', 'Denied'].map((type) => `conditions[{"type": "${type}"}]`);
const STATUSES = ['False', 'True', 'Unknown'];
/** Decisions that are made once and never taken back. */
const DECISIONS = ['Approved', 'Denied', 'Failed'];

function conditionErrors(conditions: Conditions, old: Conditions, path: string): Errors {
  const types = conditions.map(({ type }) => type);
  const oldTypes = old.map(({ type }) => type);
  const wasBoth = oldTypes.includes('Approved') && oldTypes.includes('Denied');
  return conditions.flatMap(({ type, status }, index): Errors => {
    const field = `${path}[${index}]`;
    const allowed = DECISIONS.includes(type) ? ['True'] : STATUSES;
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    const isBoth = !wasBoth && other !== undefined && types.slice(0, index).includes(other);
    return those(
      type === '' && !oldTypes.includes('') && required(`${field}.type`),
      status === '' && required(`${field}.status`),
      !(status === '' || allowed.includes(status)) && notSupported(`${field}.status`, status, allowed),
      isBoth &&
        declaredErrors([
          invalid(path, `{${BOTH.join(', ')}}`, `must specify at most one of: ${BOTH.map((one) => `\`${one}\``).join(', ')}`),
        ]),
      !hasDoubles(oldTypes) && types.indexOf(type) < index && duplicate(`${field}.type`, type),
    );
  });
}

/** @param allowed what the endpoint may set */
function updateErrors(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  allowed: 'approval' | 'certificate' | 'nothing',
): Errors {
  const count = ({ status }: CertificateSigningRequest, type: string): number =>
    (status?.conditions ?? []).filter((condition) => condition.type === type).length;
  const path = 'status.conditions';
  const removed = DECISIONS.filter((type) => count(request, type) < count(old, type));
  const added = ['Approved', 'Denied'].filter((type) => allowed !== 'approval' && count(request, type) > count(old, type));
  return [
    ...requestErrors(request, old),
    ...removed.map((type) => forbidden(path, `updates may not remove a condition of type ${goQuote(type)}`)),
    ...added.map((type) => forbidden(path, `updates may not add a condition of type ${goQuote(type)}`)),
    ...certificateChangeErrors(request.status?.certificate ?? '', old.status?.certificate ?? '', allowed === 'certificate'),
  ];
}

function certificateChangeErrors(certificate: string, old: string, isAllowed: boolean): Errors {
  if (certificate === old) return [];
  if (!isAllowed) return [forbidden('status.certificate', 'updates may not set certificate content')];
  return old === '' ? [] : [forbidden('status.certificate', 'updates may not modify existing certificate content')];
}

function certificateProblem(base64: string): string | undefined {
  if (base64 === '') return undefined;
  const blocks = pemBlocks(Buffer.from(base64, 'base64').toString('latin1'));
  for (const { type, text } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (text.includes(':')) return 'no PEM block headers are permitted';
    if (!isCertificate(text)) return 'x509: malformed certificate';
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    // A text that cannot be read is not a certificate.
    return false;
  }
}
