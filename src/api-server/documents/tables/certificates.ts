import { humanDuration } from '@keelson/kubernetes/apimachinery';
import type { CertificateSigningRequest, ClusterTrustBundle, PodCertificateRequest } from '@keelson/kubernetes/kinds';
import type { TableConvertor } from '../../contract/index.js';
import { table } from './table.js';
import { labelsText, NONE, orNone } from './texts.js';

export const certificateSigningRequests: TableConvertor = table<CertificateSigningRequest>(
  ['Name', 'Age', 'SignerName', 'Requestor', 'RequestedDuration', 'Condition'],
  (request, moment) => {
    const { metadata, spec } = request;
    const seconds = spec.expirationSeconds;
    return [
      metadata.name,
      moment.age(request),
      orNone(spec.signerName),
      spec.username ?? '',
      seconds === undefined ? NONE : humanDuration(seconds * 1000),
      requestState(request),
    ];
  },
);

function requestState({ status }: CertificateSigningRequest): string {
  const has = (wanted: string): boolean => status?.conditions?.some(({ type }) => type === wanted) === true;
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}

export const clusterTrustBundles: TableConvertor = table<ClusterTrustBundle>(['Name', 'SignerName'], ({ metadata, spec }) => [
  metadata.name,
  orNone(spec.signerName),
]);

const REQUEST_STATES = ['Issued', 'Denied', 'Failed'];

export const podCertificateRequests: TableConvertor = table<PodCertificateRequest>(
  ['Name', 'PodName', 'ServiceAccountName', 'NodeName', 'SignerName', 'State', 'UnverifiedUserAnnotations'],
  ({ metadata, spec, status }) => [
    metadata.name,
    spec.podName,
    spec.serviceAccountName,
    spec.nodeName,
    spec.signerName,
    // The last of several counts.
    status?.conditions?.findLast(({ type }) => REQUEST_STATES.includes(type))?.type ?? 'Pending',
    labelsText(spec.unverifiedUserAnnotations),
  ],
);
