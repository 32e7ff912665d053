import { equalJson, goQuote } from '@keelson/kubernetes/apimachinery';
import type { CertificateSigningRequest, ClusterTrustBundle } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, JsonObject } from '../../../contract/index.js';
import type { Authorizer } from '../../auth/index.js';
import { readCertificateRequest } from '../../certificates/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { refused } from '../refusal.js';
import { writes } from './request-of.js';

const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const ADMINISTRATORS = 'system:masters';

/** CertificateApproval: the user that approves a request needs the right to do so for its signer. Source: kubernetes `plugin/pkg/admission/certificates/approval`. */
export function certificateApproval(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    validate(request) {
      if (!concerns(request, 'UPDATE', 'approval')) return;
      // The signer's name of the old object: a user gets no right by a change of the name.
      const { signerName = '' } = (request.oldObject as unknown as CertificateSigningRequest).spec ?? {};
      if (!mayUseSigner(authorizer, request, { verb: 'approve', signerName })) {
        throw refused(request, `user not permitted to approve requests with signerName ${goQuote(signerName)}`);
      }
    },
  };
}

/** CertificateSigning: the user that issues a certificate needs the right to sign for its signer. Source: kubernetes `plugin/pkg/admission/certificates/signing`. */
export function certificateSigning(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    validate(request) {
      if (!concerns(request, 'UPDATE', 'status')) return;
      const [object, old] = [request.object, request.oldObject] as unknown as readonly CertificateSigningRequest[];
      if (equalJson(decided(object), decided(old))) return;
      const { signerName = '' } = old?.spec ?? {};
      if (!mayUseSigner(authorizer, request, { verb: 'sign', signerName })) {
        throw refused(request, `user not permitted to sign requests with signerName ${goQuote(signerName)}`);
      }
    },
  };
}

/** ClusterTrustBundleAttest: the user that publishes certificates of a signer needs the right to attest for it. Source: kubernetes `plugin/pkg/admission/certificates/ctbattest`. */
export function clusterTrustBundleAttest(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    validate(request) {
      if (!writes(request, 'certificates.k8s.io', 'clustertrustbundles')) return;
      const { object, oldObject } = request;
      const { signerName = '' } = (object as unknown as ClusterTrustBundle).spec ?? {};
      if (signerName === '' || (oldObject !== undefined && hasOtherReferencesOnly(object, oldObject))) return;
      if (!mayUseSigner(authorizer, request, { verb: 'attest', signerName })) {
        throw refused(request, `user not permitted to attest for signerName ${goQuote(signerName)}`);
      }
    },
  };
}

/** The garbage collector and the migration of storage change nothing that a signer says. */
function hasOtherReferencesOnly(object: JsonObject | undefined, old: JsonObject): boolean {
  const others = ({ metadata, ...rest }: JsonObject): JsonObject => {
    const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...kept } = metadata as JsonObject;
    return { ...rest, metadata: kept };
  };
  return object !== undefined && equalJson(others(object), others(old));
}

/** CertificateSubjectRestriction: no user becomes administrator by a certificate. Source: kubernetes `plugin/pkg/admission/certificates/subjectrestriction`. */
export function certificateSubjectRestriction(): AdmissionPlugin {
  return {
    name: 'CertificateSubjectRestriction',
    validate(request) {
      if (!concerns(request, 'CREATE', '')) return;
      const { spec } = request.object as unknown as CertificateSigningRequest;
      if (spec?.signerName !== CLIENT_SIGNER) return;
      const read = readCertificateRequest(String(spec.request));
      if ('problem' in read) throw refused(request, `failed to parse CSR: ${read.problem}`);
      if (read.organizations.includes(ADMINISTRATORS)) {
        throw refused(request, `use of ${CLIENT_SIGNER} signer with ${ADMINISTRATORS} group is not allowed`);
      }
    },
  };
}

function concerns({ served: { resource }, subresource, operation }: AdmissionRequest, wanted: string, part: string): boolean {
  return (
    resource.group === 'certificates.k8s.io' &&
    resource.plural === 'certificatesigningrequests' &&
    operation === wanted &&
    subresource === part
  );
}

function decided(request: CertificateSigningRequest | undefined): readonly unknown[] {
  const { certificate, conditions = [] } = request?.status ?? {};
  return [certificate, conditions];
}

/** A right for `example.com/*` is one for all signers of the domain. */
function mayUseSigner(
  authorizer: Authorizer,
  { context }: AdmissionRequest,
  { verb, signerName }: { readonly verb: string; readonly signerName: string },
): boolean {
  const [domain = ''] = signerName.split('/');
  return [signerName, `${domain}/*`].some((name) => {
    const attributes = { type: 'resource', user: context.user, verb, apiGroup: 'certificates.k8s.io', resource: 'signers', name } as const;
    return authorizer.authorize(attributes).allowed;
  });
}
