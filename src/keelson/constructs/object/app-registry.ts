import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';

/**
 * The knowledge of keelson's constructs about each other within one app.
 *
 * It hangs on the root construct, not in a module: two copies of the package (ESM and CommonJS) then share it, and two apps do not.
 */
export interface AppRegistry {
  /** CRDs by `group/Kind`. */
  readonly definitions: Map<string, ApiObject[]>;
  /** Custom resources that were created so far, by `group/Kind`. */
  readonly resources: Map<string, ApiObject[]>;
}

const REGISTRY = Symbol.for('keelson.AppRegistry/1');

export function appRegistry(scope: IConstruct): AppRegistry {
  const root = scope.node.root as IConstruct & { [REGISTRY]?: AppRegistry };
  const existing = root[REGISTRY];
  if (existing !== undefined) return existing;
  const registry: AppRegistry = { definitions: new Map(), resources: new Map() };
  Object.defineProperty(root, REGISTRY, { value: registry });
  return registry;
}

export function addTo(index: Map<string, ApiObject[]>, key: string, object: ApiObject): void {
  const present = index.get(key);
  if (present === undefined) index.set(key, [object]);
  else present.push(object);
}

const ONCE = Symbol.for('keelson.AppOnce/1');

/** Whether `what` is done for the first time in this app. */
export function onceInApp(scope: IConstruct, what: string): boolean {
  const root = scope.node.root as IConstruct & { [ONCE]?: Set<string> };
  if (root[ONCE] === undefined) Object.defineProperty(root, ONCE, { value: new Set<string>() });
  const done = root[ONCE] as Set<string>;
  if (done.has(what)) return false;
  done.add(what);
  return true;
}
