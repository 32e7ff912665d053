import type { Json } from '@keelson/kubernetes/apimachinery';
import type { Endpoint, PatchType } from '../values/index.js';
import type { JsonObject } from './draft.js';
import type { RequestContext } from './request-context.js';
import type { StatusStrategy, Strategy } from './strategy.js';
import type { TableConvertor } from './table.js';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** Fields by which a list may be narrowed beside `metadata.name` and `metadata.namespace`. */
export interface FieldLabels {
  /** Value of each field of an object at this version; missing values are `''`. */
  readonly fields: ReadonlyMap<string, (object: JsonObject) => string>;
  /** The server's complaint about another field, for example `field label not supported: spec.foo`. */
  unsupported(field: string): string;
}

/** Where a kind keeps what its Scale shows: dotted paths, as in a CRD (`.spec.replicas`). */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A request for a subresource that is more than an update of its object (token, eviction, binding, log …). */
export interface SubresourceRequest {
  readonly verb: 'create' | 'delete' | 'get' | 'patch' | 'update';
  readonly namespace: string;
  readonly name: string;
  /** Decoded body; undefined: none. */
  readonly body: Json | undefined;
  readonly query: URLSearchParams;
  /** The validating half of admission, where something is created: for the handler to call when a real server does. @throws StatusError to refuse */
  readonly validate?: (body: JsonObject) => Promise<void>;
}

export interface SubresourceAnswer {
  /** HTTP status. */
  readonly code: number;
  /** A JSON object, or plain text (logs). */
  readonly body: JsonObject | string;
}

/** Objects of the resource itself that are made when they are asked for (component statuses): the client may want them as a Table, as it may stored ones. */
export type MadeObjects = { readonly object: JsonObject } | { readonly items: readonly JsonObject[] };

/** Text that comes piece by piece, maybe without an end: logs that are followed. */
export interface SubresourceStream {
  readonly stream: AsyncIterable<Uint8Array>;
}

/** The ends of a connection in another protocol than HTTP: messages of bytes. */
export interface Channel {
  /** The subprotocol that was agreed on. */
  readonly protocol: string;
  onMessage(listener: (message: Buffer) => void): void;
  /** Calls `listener` when the client has gone, or {@link close} has ended it. */
  onClose(listener: () => void): void;
  /** Settles when the client takes more. */
  send(message: Uint8Array): Promise<void>;
  /** Stops and goes on with messages that come in. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** One of several streams that share a connection. */
export interface StreamOfConnection {
  readonly id: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The connection is read no further until `listener` has settled. */
  onData(listener: (bytes: Buffer) => void | Promise<void>): void;
  /** Calls `listener` when the client sends nothing more on it, or has gone. */
  onEnd(listener: () => void): void;
  /** Settles when the client takes more. */
  send(bytes: Uint8Array): Promise<void>;
  /** Says that nothing more is sent. */
  end(): Promise<void>;
  /** Breaks off both ways. */
  reset(): Promise<void>;
}

/** A connection on which the client opens streams. */
export interface StreamConnection {
  /** The protocol above the streams that was agreed on. */
  readonly protocol: string;
  onStream(listener: (stream: StreamOfConnection) => void): void;
  /** Calls `listener` when the client has gone, or {@link close} has ended it. */
  onClose(listener: () => void): void;
  close(): void;
}

/** A connection that goes on in another protocol. */
export interface SubresourceConnection {
  readonly type: 'connection';
  /** Over messages of a WebSocket. Default: not spoken. */
  readonly messages?: Spoken<Channel> | undefined;
  /** Over streams: of SPDY, or of SPDY inside a WebSocket. */
  readonly streams: Spoken<StreamConnection>;
}

export interface Spoken<TConnection> {
  /** The best first. */
  readonly protocols: readonly string[];
  /** Settles when all is said. */
  readonly serve: (connection: TConnection) => Promise<void>;
}

export interface Subresource {
  /** A connection to something else: bodies are not read, they are not the API server's. */
  readonly connects?: true;
  readonly name: string;
  /** Kind of its bodies in discovery, where it differs from the resource's group and version (`autoscaling/v1` Scale). */
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly Verb[];
  /** Undefined: `status`, `scale` and the variants, which the registry serves itself. */
  readonly handle?: (
    request: SubresourceRequest,
    context: RequestContext,
  ) => Promise<MadeObjects | SubresourceAnswer | SubresourceConnection | SubresourceStream>;
}

/** A resource at one version that is served. */
export interface ServedVersion {
  readonly version: string;
  readonly verbs: readonly Verb[];
  readonly strategy: Strategy;
  /** With `/status`. */
  readonly status?: StatusStrategy | undefined;
  /** Further subresources that are an update of the object under rules of their own, by name (`finalize`, `approval`). */
  readonly variants?: Readonly<Record<string, StatusStrategy>>;
  /** With `/scale`. */
  readonly scale?: ScalePaths | undefined;
  /** For resources that keep no objects (reviews, bindings, component statuses): answers all their verbs. */
  readonly handle?: Subresource['handle'];
  readonly subresources: readonly Subresource[];
  /** Types for apply and managed fields; `subresource` is `''`, `status` or the name of a variant. */
  endpoint(subresource: string): Endpoint;
  /** Undefined: no strategic merge patch (custom resources). */
  readonly patchType?: PatchType;
  readonly table: TableConvertor;
  readonly fieldLabels: FieldLabels;
  /** Text of the warning that every use of the version brings. */
  readonly deprecationWarning?: string;
  /** Refuses creates for the moment (a CRD that is being deleted). @throws StatusError */
  checkCreate?(name?: string): void;
}

/** A kind of objects that the server keeps. */
export interface Resource {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Name of the table in the store; two resources may share one (`events`). */
  readonly storageKey: string;
  /** Defined by a CustomResourceDefinition: its lists and answers have other small habits than Go types'. */
  readonly isCustom: boolean;
  /** In the order of preference. */
  readonly versions: readonly ServedVersion[];
  readonly storageVersion: string;
  /**
   * Stored objects, or objects of any served version, at another version, as a reader gets them (a custom resource: pruned and defaulted anew). The same
   * objects where there is nothing to do. A promise where a webhook has to be asked.
   * @throws StatusError 500 when the conversion fails.
   */
  convert(objects: readonly JsonObject[], version: string): readonly JsonObject[] | Promise<readonly JsonObject[]>;
  /** Whether {@link convert} asks a webhook, and so never knows at once. Default: no. */
  readonly convertsByWebhook?: boolean;
  /**
   * Objects of any served version in the form in which they are stored, where that is of no version of this resource (`events.k8s.io` keeps its objects as
   * the core group's): then no version is read as it is stored. Default: {@link convert} to the storage version.
   */
  toStored?(objects: readonly JsonObject[]): readonly JsonObject[] | Promise<readonly JsonObject[]>;
}
