import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { builtinDefinitions } from '../../../../src/api-server/documents/openapi/index.js';
import { builtinTypes, type TypeRef, typesFromSmd } from '../../../../src/api-server/values/apply/index.js';
import type { Json } from '../../../../src/kubernetes/apimachinery/index.js';

const FILE = '../shared/data/smd-schema-builtin-v0.32.4.yaml';

/** Fields of stable types that came after 1.32, from which the file is. */
const NEW_FIELDS = [
  'apps.v1.DeploymentStatus.terminatingReplicas',
  'apps.v1.ReplicaSetStatus.terminatingReplicas',
  'autoscaling.v2.HPAScalingRules.tolerance',
  'autoscaling.v2.HorizontalPodAutoscalerCondition.observedGeneration',
  'batch.v1.JobSpec.scheduling',
  'core.v1.ClusterTrustBundleProjection.user',
  'core.v1.ConfigMapVolumeSource.defaultUser',
  'core.v1.Container.restartPolicyRules',
  'core.v1.ContainerStatus.stopSignal',
  'core.v1.DownwardAPIVolumeFile.user',
  'core.v1.DownwardAPIVolumeSource.defaultUser',
  'core.v1.EmptyDirVolumeSource.mode',
  'core.v1.EnvVarSource.fileKeyRef',
  'core.v1.EphemeralContainer.restartPolicyRules',
  'core.v1.GRPCAction.mode',
  'core.v1.HTTPGetAction.protocol',
  'core.v1.KeyToPath.user',
  'core.v1.Lifecycle.stopSignal',
  'core.v1.NodeSpec.podPreemptionPolicy',
  'core.v1.NodeStatus.declaredFeatures',
  'core.v1.NodeSystemInfo.runningInUserNamespace',
  'core.v1.NodeSystemInfo.swap',
  'core.v1.PersistentVolumeClaimStatus.healthStatus',
  'core.v1.PodCondition.observedGeneration',
  'core.v1.PodSpec.evictionResponders',
  'core.v1.PodSpec.hostnameOverride',
  'core.v1.PodSpec.schedulingGroup',
  'core.v1.PodStatus.allocatedResources',
  'core.v1.PodStatus.extendedResourceClaimStatus',
  'core.v1.PodStatus.nodeAllocatableResourceClaimStatuses',
  'core.v1.PodStatus.observedGeneration',
  'core.v1.PodStatus.resources',
  'core.v1.PodStatus.volumeHealth',
  'core.v1.ProjectedVolumeSource.defaultUser',
  'core.v1.ResourceHealth.message',
  'core.v1.SecretVolumeSource.defaultUser',
  'core.v1.ServiceAccountTokenProjection.user',
  'core.v1.VolumeMount.bindMountOptions',
  'core.v1.VolumeMountStatus.volumeStatus',
  'core.v1.VolumeProjection.podCertificate',
  'discovery.v1.EndpointHints.forNodes',
  'storage.v1.CSIDriverSpec.nodeAllocatableUpdatePeriodSeconds',
  'storage.v1.CSIDriverSpec.preventPodSchedulingIfMissing',
  'storage.v1.CSIDriverSpec.serviceAccountTokenInSecrets',
  'storage.v1.CSINode.status',
  'storage.v1.VolumeError.errorCode',
];

/** Defaults that the document of the clients' types did not tell: none of these fields is the key of a list, where alone a default counts. */
const OTHER_DEFAULTS = [
  'admissionregistration.v1.MutatingWebhook.sideEffects default: "" vs undefined',
  'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec.policyName default: "" vs undefined',
  'admissionregistration.v1.ValidatingWebhook.sideEffects default: "" vs undefined',
  'certificates.v1.CertificateSigningRequestSpec.request default: "" vs undefined',
  'core.v1.ReplicationControllerSpec.minReadySeconds default: 0 vs undefined',
  'core.v1.ReplicationControllerSpec.replicas default: 1 vs undefined',
  'flowcontrol.v1.FlowSchemaCondition.type default: "" vs undefined',
  'flowcontrol.v1.PriorityLevelConfigurationCondition.type default: "" vs undefined',
  'networking.v1.HTTPIngressPath.pathType default: "" vs undefined',
];

/** The document gives these two no type or any content; `ObjectMeta` is our own, written out, and `FieldsV1` is never looked into. */
const SPECIAL = /meta\.v1\.(ObjectMeta|FieldsV1)|RawExtension|IntOrString/;

describe('types of built-in kinds against those of the Go clients', () => {
  test('are the same but for what later versions changed', () => {
    const schema = parse(readFileSync(FILE, 'utf8')) as Json & { types: readonly { name: string }[] };
    const theirs = typesFromSmd(schema);
    const definitions = builtinDefinitions();
    const ours = builtinTypes(definitions);
    const known = schema.types.map(({ name }) => name).filter((name) => /\.v[12]\.[^.]+$/.test(name) && definitions(name) !== undefined);
    expect(known.length).toBeGreaterThan(380);
    const differences = known
      .flatMap((name) => differencesOf(name, [shapeOf(ours(name)), shapeOf(theirs(name))]))
      .filter((line) => !SPECIAL.test(line))
      .map((line) => line.replace('io.k8s.api.', ''));
    const isNew = (line: string): boolean => NEW_FIELDS.some((field) => /^[ [{]/.test(line.slice(field.length)) && line.startsWith(field));
    expect(differences.filter((line) => !isNew(line))).toEqual(OTHER_DEFAULTS);
    expect(NEW_FIELDS.filter((field) => !differences.some((line) => line.startsWith(field)))).toEqual([]);
  });
});

/** A type down to the named types that it refers to, as lines `path: what`. */
function shapeOf(root: TypeRef): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  const visit = (path: string, { atom }: TypeRef): void => {
    const { scalar, list, map } = atom;
    if (scalar !== undefined) lines.set(`${path} scalar`, scalar);
    if (list !== undefined) {
      lines.set(`${path} list`, `${list.isAtomic ? 'atomic' : 'associative'} [${list.keys.join()}]`);
      if (list.elementType !== undefined) refer(`${path}[]`, list.elementType);
    }
    if (map !== undefined) {
      lines.set(`${path} map`, map.isAtomic ? 'atomic' : 'granular');
      if (map.elementType !== undefined) refer(`${path}{}`, map.elementType);
      for (const [name, { type, default: value }] of map.fields) {
        refer(`${path}.${name}`, type);
        if (value !== undefined) lines.set(`${path}.${name} default`, JSON.stringify(value));
      }
    }
  };
  const refer = (path: string, type: TypeRef): void => {
    if (type.name === undefined) {
      visit(path, type);
      return;
    }
    const { map, list } = type.atom;
    lines.set(`${path} type`, `${type.name}${map?.isAtomic === true || list?.isAtomic === true ? ' (atomic)' : ''}`);
  };
  visit('', root);
  return lines;
}

function differencesOf(name: string, [ours, theirs]: readonly [ReadonlyMap<string, string>, ReadonlyMap<string, string>]): string[] {
  return [...new Set([...ours.keys(), ...theirs.keys()])]
    .filter((path) => ours.get(path) !== theirs.get(path))
    .map((path) => `${name}${path}: ${ours.get(path)} vs ${theirs.get(path)}`);
}
