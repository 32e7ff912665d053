import { ApiObject, App, Chart, YamlOutputType } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { clusterNameOf, clustersIn } from './cluster.js';

/** Built-in kinds without a namespace: cdk8s gives them the chart's all the same, so two of them may look different and be one. */
const CLUSTER_SCOPED: ReadonlySet<string> = new Set([
  'APIService',
  'CSIDriver',
  'CertificateSigningRequest',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'IngressClass',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'Namespace',
  'PersistentVolume',
  'PriorityClass',
  'RuntimeClass',
  'StorageClass',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** Groups that define those kinds; a custom resource may be called the same. */
const BUILT_IN_GROUP = /^(core|[a-z]+|.+\.k8s\.io)$/;

export function isClusterScoped(object: ApiObject): boolean {
  const { apiScope } = object as { readonly apiScope?: unknown };
  return apiScope === undefined ? CLUSTER_SCOPED.has(object.kind) && BUILT_IN_GROUP.test(object.apiGroup) : apiScope === 'Cluster';
}

/**
 * Finds objects that are one object to the API server: same group, kind, namespace and name, in charts that are applied to one cluster. cdk8s writes both,
 * the second wins on apply. Objects of other libraries count too. And, where each object has a file of its own, those that cdk8s writes to one file: the
 * second replaces the first.
 *
 * Assumes that names do not change after construction; the result is kept until the tree grows.
 */
export function duplicateProblems(root: IConstruct): () => string[] {
  let seen = 0;
  let problems: readonly string[] = [];
  return () => {
    const objects = root.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
    if (objects.length !== seen) {
      seen = objects.length;
      problems = [...findDuplicates(objects, clustersIn(root)), ...findSharedFiles(objects, App.of(root).yamlOutputType)];
    }
    return [...problems];
  };
}

function findDuplicates(objects: readonly ApiObject[], clusterOf: (object: ApiObject) => string): string[] {
  const first = new Map<string, ApiObject>();
  const problems: string[] = [];
  for (const object of objects) {
    const namespace = isClusterScoped(object) ? '' : (object.metadata.namespace ?? '');
    const identity = JSON.stringify([clusterOf(object), object.apiGroup, object.kind, namespace, object.name]);
    const other = first.get(identity);
    if (other === undefined) first.set(identity, object);
    else {
      const where = namespace === '' ? '' : ` in namespace '${namespace}'`;
      problems.push(
        `${other.node.path} and ${object.node.path} both write ${object.kind} '${object.name}'${where}${clusterText(other, object)}: ` +
          `the second would overwrite the first; ${hintFor(object.kind)}`,
      );
    }
  }
  return problems;
}

/** Why objects of two charts are compared. */
function clusterText(one: ApiObject, other: ApiObject): string {
  const charts = [Chart.of(one), Chart.of(other)] as const;
  if (charts[0] === charts[1]) return '';
  const name = clusterNameOf(charts[0]) ?? clusterNameOf(charts[1]);
  return name === undefined ? ' of one cluster' : ` of the cluster '${name}'`;
}

/** A second installation shares what belongs to the custom resource, and needs names of its own for the rest. */
function hintFor(kind: string): string {
  const apart = 'if they are for two clusters, put them into two charts, each with its cluster (`cluster` of an Operator, or setCluster)';
  if (kind === 'CustomResourceDefinition') return `write it once (of an Operator: \`crds: false\`); ${apart}`;
  return `give one another metadata.name (of an Operator: another \`name\`, and for the roles of a custom resource \`aggregateRoles: false\`); ${apart}`;
}

/** cdk8s names such a file by kind and name alone: the Roles of one name in two namespaces share it. */
function findSharedFiles(objects: readonly ApiObject[], output: YamlOutputType): string[] {
  if (output !== YamlOutputType.FILE_PER_RESOURCE && output !== YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE) return [];
  const byChart = output === YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE;
  const first = new Map<string, ApiObject>();
  return objects.flatMap((object) => {
    const file = `${object.kind}.${object.name}`;
    const key = byChart ? `${Chart.of(object).node.path}/${file}` : file;
    const other = first.get(key);
    if (other === undefined) {
      first.set(key, object);
      return [];
    }
    return [
      `${other.node.path} and ${object.node.path} are both written to the file ${file}${App.of(object).outputFileExtension}, so one would be lost: ` +
        'write a file per chart (YamlOutputType.FILE_PER_CHART), give one another name, or put them into two charts with FOLDER_PER_CHART_FILE_PER_RESOURCE',
    ];
  });
}
