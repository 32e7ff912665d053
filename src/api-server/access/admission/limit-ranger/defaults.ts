import { compareUtf8 } from '@keelson/kubernetes/apimachinery';
import type { Container, LimitRange, Pod } from '@keelson/kubernetes/kinds';

type Texts = Readonly<Record<string, string>>;

interface Defaults {
  readonly limits: Texts;
  readonly requests: Texts;
}

const ANNOTATION = 'kubernetes.io/limit-ranger';

/** The pod with the limits and requests that a LimitRange gives to containers that name none, and an annotation that says so. */
export function withDefaults(pod: Pod, range: LimitRange): Pod {
  const defaults = defaultsOf(range);
  const told: string[] = [];
  const filled = (what: string) => (container: Container) =>
    filledContainer(container, defaults, (text) => told.push(`${text} for ${what} ${container.name}`));
  const containers = (pod.spec?.containers ?? []).map(filled('container'));
  const initContainers = pod.spec?.initContainers?.map(filled('init container'));
  if (told.length === 0) return pod;
  const annotations = { ...pod.metadata?.annotations, [ANNOTATION]: `LimitRanger plugin set: ${told.join('; ')}` };
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations: sorted(annotations) },
    spec: { ...pod.spec, containers, ...(initContainers === undefined ? {} : { initContainers }) },
  };
}

function defaultsOf({ spec }: LimitRange): Defaults {
  const items = (spec?.limits ?? []).filter(({ type }) => type === 'Container');
  return {
    limits: Object.assign({}, ...items.map((item) => item.default)) as Texts,
    requests: Object.assign({}, ...items.map(({ defaultRequest }) => defaultRequest)) as Texts,
  };
}

function filledContainer(container: Container, defaults: Defaults, tell: (text: string) => void): Container {
  const { limits = {}, requests = {}, ...rest } = container.resources ?? {};
  const missing = (given: object, wanted: Texts) =>
    Object.keys(wanted)
      .filter((name) => !Object.hasOwn(given, name))
      .sort(compareUtf8);
  const [setRequests, setLimits] = [missing(requests, defaults.requests), missing(limits, defaults.limits)];
  if (setRequests.length > 0) tell(`${setRequests.join(', ')} request`);
  if (setLimits.length > 0) tell(`${setLimits.join(', ')} limit`);
  if (setRequests.length + setLimits.length === 0) return container;
  const all = { limits: sorted({ ...defaults.limits, ...limits }), requests: sorted({ ...defaults.requests, ...requests }) };
  const given = Object.entries(all).filter(([, list]) => Object.keys(list).length > 0);
  return { ...container, resources: { ...Object.fromEntries(given), ...rest } };
}

/** Maps are written in the order of their keys. */
function sorted<T>(map: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(map).sort(([left], [right]) => compareUtf8(left, right)));
}
