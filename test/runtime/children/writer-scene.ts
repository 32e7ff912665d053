import { type OwnPolicy, own } from 'keelson';
import { ConfigMap, Deployment, Secret } from 'keelson/kinds';
import type { KindInfo, OwnerReference } from '../../../src/kubernetes/apimachinery/index.js';
import type { StoredObject } from '../../../src/runtime/cache/index.js';
import {
  APPLIED_ANNOTATION,
  type ChildrenResult,
  ChildrenWriter,
  type ChildrenWriterOptions,
  type OwnedHandle,
} from '../../../src/runtime/children/index.js';
import { isInvalid } from '../../../src/runtime/client/index.js';
import { MemoryLog } from '../harness/running-controller.js';
import { Widget } from '../reconcile/widget.js';
import { FakeInformer } from './fake-informer.js';

export interface Applied {
  readonly manifest: StoredObject;
  readonly options: Readonly<Record<string, unknown>>;
}

export const refusal = (code: number, reason: string, message = reason) => ({
  request: 'a request',
  status: { status: 'Failure', code, reason, message } as never,
  httpStatus: code,
});

/** A server of one line: what is applied is there, with a new version if it differs. */
export class Scene {
  readonly configs = new FakeInformer(ConfigMap);
  readonly secrets = new FakeInformer(Secret);
  readonly deployments = new FakeInformer(Deployment);
  readonly applied: Applied[] = [];
  readonly deleted: { readonly name: string; readonly options: Readonly<Record<string, unknown>> }[] = [];
  readonly failing = new Map<string, Error>();
  readonly created: string[] = [];
  readonly patched: { readonly name: string; readonly patch: unknown }[] = [];
  policies: Readonly<Record<string, Partial<OwnPolicy>>> = {};
  readonly log = new MemoryLog();
  /** What else the writer is made with. */
  more: Partial<ChildrenWriterOptions> = {};
  /** The answer to a deletion: of an object that finalizers still hold. */
  answer: StoredObject | undefined;
  #version = 100;
  #uids = 0;
  writer = this.begin();

  /** A process that remembers nothing. */
  begin(): ChildrenWriter {
    this.writer = new ChildrenWriter({
      client: {
        apply: async (kind: KindInfo, manifest: StoredObject, options: object) => this.#apply(kind, manifest, options),
        delete: async (_: KindInfo, { name }: { name: string }, options: object) => this.#delete(name, options),
        patch: async (_: KindInfo, { name }: { name: string }, patch: { readonly body: unknown }) => this.#patch(name, patch.body),
      } as never,
      log: this.log,
      ...this.more,
      fieldManager: 'test/widget',
      primary: new FakeInformer(Widget as KindInfo),
      handles: this.handles(),
    });
    return this.writer;
  }

  handles(): Record<string, OwnedHandle> {
    const { policy } = own(ConfigMap);
    return Object.fromEntries(
      Object.entries({ configs: this.configs, secrets: this.secrets, deployments: this.deployments }).map(([name, informer]) => [
        name,
        { informer, policy: { ...policy, ...this.policies[name] } },
      ]),
    );
  }

  /** All handles are named: what is not in the list is not desired. */
  reconcile(desired: readonly object[], owner = OWNER): Promise<ChildrenResult> {
    const isSecret = (object: object): boolean => (object as { kind?: string })?.kind === 'Secret';
    const children = { configs: desired.filter((object) => !isSecret(object)), secrets: desired.filter(isSecret), deployments: [] };
    return this.writer.reconcile({ owner, desired: children, signal: new AbortController().signal });
  }

  #apply(kind: KindInfo, manifest: StoredObject, options: object): StoredObject {
    this.applied.push({ manifest, options: options as Applied['options'] });
    const error = this.failing.get(manifest.metadata.name);
    if (error !== undefined) throw error;
    const informer = [this.configs, this.secrets, this.deployments].find((one) => one.kind.kind === kind.kind);
    const live = informer?.get(manifest.metadata as never);
    const uid = live?.metadata.uid ?? `uid-${++this.#uids}`;
    return { ...manifest, metadata: { ...manifest.metadata, uid, resourceVersion: String(++this.#version) } } as StoredObject;
  }

  #delete(name: string, options: object): StoredObject | undefined {
    this.deleted.push({ name, options: options as Applied['options'] });
    const error = this.failing.get(name);
    // A deletion is never invalid: that is what an apply of the object is told.
    if (error !== undefined && !isInvalid(error)) throw error;
    return this.answer;
  }

  #patch(name: string, patch: unknown): StoredObject {
    this.patched.push({ name, patch });
    const error = this.failing.get(name);
    if (error !== undefined) throw error;
    return liveConfig(name, { resourceVersion: String(++this.#version) });
  }
}

export const OWNER = {
  kind: Widget as KindInfo,
  object: {
    apiVersion: 'test.example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', namespace: 'shop', uid: 'owner', resourceVersion: '1' },
  } as unknown as StoredObject,
};
export const config = (name: string, data: Record<string, string> = {}) => ConfigMap({ metadata: { name }, data });
export const reference = (uid: string, kind = 'Widget'): OwnerReference => ({
  apiVersion: 'test.example.com/v1',
  kind,
  name: 'w',
  uid,
  controller: true,
});
export const liveConfig = (name: string, more: object = {}): StoredObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, resourceVersion: '5', ...more },
    data: {},
  }) as unknown as StoredObject;

/** Applied by the controller before. */
export const MINE = { ownerReferences: [reference('owner')], annotations: { [APPLIED_ANNOTATION]: 'test/widget:of-before' } };
