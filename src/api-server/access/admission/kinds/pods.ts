import type { Pod, PriorityClass, Toleration } from '@keelson/kubernetes/kinds';
import type { AdmissionRequest, ClusterView, JsonObject } from '../../../contract/index.js';
import type { AdmissionPlugin } from '../plugin.js';
import { refused } from '../refusal.js';
import { withSpec, writes } from './request-of.js';

type Spec = Pod['spec'];

/** Priority: what a pod's class name stands for. Source: kubernetes `plugin/pkg/admission/priority`. */
export function priority(cluster: ClusterView): AdmissionPlugin {
  return {
    name: 'Priority',
    mutate(request) {
      const { object, oldObject } = request;
      if (object === undefined || !writes(request, '', 'pods')) return object;
      const spec = object['spec'] as unknown as Spec;
      if (request.operation === 'UPDATE') return withSpec(object, keptPriority(spec, (oldObject as unknown as Pod | undefined)?.spec));
      return withSpec(object, resolvedPriority(request, spec, cluster));
    },
    validate(request) {
      if (writes(request, 'scheduling.k8s.io', 'priorityclasses')) refuseSecondDefault(request, cluster);
    },
  };
}

function keptPriority(spec: Spec, old: Spec | undefined): Partial<NonNullable<Spec>> {
  const value = spec?.priority ?? old?.priority;
  const policy = spec?.preemptionPolicy ?? old?.preemptionPolicy;
  return { ...(value === undefined ? {} : { priority: value }), ...(policy === undefined ? {} : { preemptionPolicy: policy }) };
}

function resolvedPriority(request: AdmissionRequest, spec: Spec, cluster: ClusterView): object {
  const { priorityClassName = '', priority: asked, preemptionPolicy: askedPolicy } = spec ?? {};
  const found = priorityClassName === '' ? defaultClass(cluster) : classNamed(request, priorityClassName, cluster);
  const value = found?.value ?? 0;
  const policy = found === undefined ? 'PreemptLowerPriority' : found.preemptionPolicy;
  if (asked !== undefined && asked !== value) {
    throw refused(
      request,
      `the integer value of priority (${asked}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  }
  if (policy !== undefined && askedPolicy !== undefined && askedPolicy !== policy) {
    throw refused(
      request,
      `the string value of PreemptionPolicy (${askedPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  const name = found?.metadata?.name;
  return {
    ...(name === undefined ? {} : { priorityClassName: name }),
    priority: value,
    ...(policy === undefined ? {} : { preemptionPolicy: policy }),
  };
}

function classNamed(request: AdmissionRequest, name: string, cluster: ClusterView): PriorityClass {
  const found = cluster.get({ group: 'scheduling.k8s.io', plural: 'priorityclasses' }, { namespace: '', name });
  if (found === undefined) throw refused(request, `no PriorityClass with name ${name} was found`);
  return found as unknown as PriorityClass;
}

/** The lowest of several, which only a race can make. */
function defaultClass(cluster: ClusterView): PriorityClass | undefined {
  const classes = cluster.list({ group: 'scheduling.k8s.io', plural: 'priorityclasses' }) as unknown as readonly PriorityClass[];
  return classes.filter(({ globalDefault }) => globalDefault === true).sort(({ value: left = 0 }, { value: right = 0 }) => left - right)[0];
}

function refuseSecondDefault(request: AdmissionRequest, cluster: ClusterView): void {
  const { object, operation, name } = request;
  const written = object as unknown as PriorityClass;
  const known = written.globalDefault === true ? defaultClass(cluster)?.metadata?.name : undefined;
  if (known === undefined || (operation === 'UPDATE' && known === name)) return;
  throw refused(request, `PriorityClass ${known} is already marked as default. Only one default can exist`);
}

const TOLERATED = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const TOLERATION_SECONDS = 300;

/** DefaultTolerationSeconds: pods stay five minutes on a node that is lost. Source: kubernetes `plugin/pkg/admission/defaulttolerationseconds`. */
export function defaultTolerationSeconds(): AdmissionPlugin {
  return {
    name: 'DefaultTolerationSeconds',
    mutate(request) {
      const { object } = request;
      if (object === undefined || !writes(request, '', 'pods')) return object;
      return withTolerations(object);
    },
  };
}

function withTolerations(object: JsonObject): JsonObject {
  const tolerations = ((object['spec'] as unknown as Spec)?.tolerations ?? []) as readonly Toleration[];
  const missing = TOLERATED.filter((key) => !tolerations.some((one) => tolerates(one, key)));
  if (missing.length === 0) return object;
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: TOLERATION_SECONDS }));
  return withSpec(object, { tolerations: [...tolerations, ...added] });
}

function tolerates(
  { key = '', effect = '' }: { readonly key?: string | undefined; readonly effect?: string | undefined },
  taint: string,
): boolean {
  return (key === '' || key === taint) && (effect === '' || effect === 'NoExecute');
}
