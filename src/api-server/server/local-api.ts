import { apiVersionOf, groupVersionOf, type Json, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import { PRIVILEGED_GROUP } from '../access/index.js';
import { systemClock } from '../clock/index.js';
import type { JsonObject, RequestBody, RequestContext, Resource, Served, Target } from '../contract/index.js';
import { DefinitionControllers } from '../kinds/index.js';
import { type Status, StatusError } from '../status/index.js';
import { keepCopies, namespaceIn } from './copies.js';
import { Core } from './core.js';

/** A manifest, as it was read. */
export interface ReadManifest {
  readonly object: KubernetesObject;
  /** Complaints of the parser that a strict server adds to its own: duplicate fields. */
  readonly strictProblems?: readonly string[];
}

/** The answer of the API: the object as it would be stored, or the refusal. */
export type Judgement = { readonly warnings: readonly string[] } & (
  | { readonly ok: true; readonly object: JsonObject }
  | { readonly ok: false; readonly status: Status }
);

interface JudgeOptions {
  /** Unknown and duplicate fields: an error, as `kubectl` asks for it, or a warning. */
  readonly fieldValidation: 'Strict' | 'Warn';
  readonly isDryRun: boolean;
}

const ADMIN = { username: 'admin', groups: [PRIVILEGED_GROUP, 'system:authenticated'] };
const NEVER = new AbortController().signal;

/**
 * The API of a server that does not listen: it judges objects exactly as a request of an administrator is judged, and no client can reach it. It runs no controllers but those of
 * definitions, and no webhook answers.
 */
export class LocalApi {
  readonly #core: Core;
  readonly #definitions: DefinitionControllers;
  readonly #namespaces = new Set<string>();

  constructor() {
    this.#core = new Core({ clock: systemClock, serviceRange: '10.0.0.0/24', resolveService: () => undefined });
    this.#definitions = new DefinitionControllers({
      ...this.#core,
      report: ({ error }) => {
        throw error;
      },
    });
    this.#definitions.start();
  }

  /** Creates a CustomResourceDefinition. Its kind is served when this resolves; a definition whose names are taken is refused, as it would never be established. */
  async define(manifest: ReadManifest, fieldValidation: JudgeOptions['fieldValidation']): Promise<Judgement> {
    const judged = await this.#create(manifest, { fieldValidation, isDryRun: false });
    if (!judged.ok) return judged;
    await this.#definitions.settled();
    const problem = this.#notAccepted(manifest.object.metadata.name ?? '');
    return problem === undefined ? judged : { ok: false, status: { ...CONFLICT, message: problem }, warnings: judged.warnings };
  }

  /** The resource of a kind, at any version. */
  resourceOf({ apiVersion, kind }: KubernetesObject): Resource | undefined {
    const { group } = groupVersionOf(apiVersion);
    return this.#core.catalog.resources.find((resource) => resource.group === group && resource.kind === kind);
  }

  /** Puts an object into the store as it is: the schema of today need not allow it. */
  keep(object: KubernetesObject): void {
    const resource = this.resourceOf(object);
    if (resource === undefined) throw new RangeError(`${object.kind} is not served`);
    keepCopies(this.#core, [{ resource, object }]);
  }

  /** Judges a create, or an update if an object of this name is {@link keep kept}. Nothing is stored. */
  async judge(manifest: ReadManifest): Promise<Judgement & { readonly operation: 'create' | 'update' }> {
    const { object } = manifest;
    const resource = this.resourceOf(object);
    const { name = '' } = object.metadata;
    const old =
      resource === undefined || name === ''
        ? undefined
        : this.#core.store.get({ resource: resource.storageKey, namespace: namespaceIn(resource, object), name });
    if (old === undefined) return { ...(await this.#create(manifest, { fieldValidation: 'Strict', isDryRun: true })), operation: 'create' };
    const { uid, resourceVersion } = old['metadata'] as KubernetesObject['metadata'];
    const identified = { ...object, metadata: { ...object.metadata, uid, resourceVersion } } as KubernetesObject;
    const judged = await this.#answered(identified, (target, context) =>
      this.#core.api.update({ ...target, name }, bodyOf({ ...manifest, object: identified }), context).then((written) => written.object),
    );
    return { ...judged, operation: 'update' };
  }

  async close(): Promise<void> {
    await this.#definitions.stop();
    this.#core.webhooks.close();
    this.#core.store.close();
  }

  async #create(manifest: ReadManifest, options: JudgeOptions): Promise<Judgement> {
    // A version of the store of another cluster: the object does not exist here.
    const { resourceVersion: _, ...metadata } = manifest.object.metadata;
    const object = { ...manifest.object, metadata };
    return this.#answered(object, (target, context) => this.#core.api.create(target, bodyOf({ ...manifest, object }), context), options);
  }

  async #answered(
    object: KubernetesObject,
    request: (target: Target, context: RequestContext) => Promise<JsonObject>,
    options: JudgeOptions = { fieldValidation: 'Strict', isDryRun: true },
  ): Promise<Judgement> {
    const warnings: string[] = [];
    try {
      const target = await this.#targetOf(object);
      return {
        ok: true,
        object: await request(
          target,
          this.#context(options, (text) => warnings.push(text)),
        ),
        warnings,
      };
    } catch (error) {
      if (!StatusError.isStatusError(error)) throw error;
      return { ok: false, status: error.status, warnings };
    }
  }

  /** @throws StatusError 404 in the words of `kubectl` */
  async #targetOf(object: KubernetesObject): Promise<Target> {
    const { group, version } = groupVersionOf(object.apiVersion);
    const served: Served | undefined = this.#core.catalog.ofKind(group, version, object.kind);
    if (served === undefined)
      throw new StatusError({
        ...NOT_FOUND,
        message: `no matches for kind "${object.kind}" in version "${apiVersionOf({ group, version })}"`,
      });
    const namespace = namespaceIn(served.resource, object);
    if (namespace !== '') await this.#provide(namespace);
    return { served, namespace, name: '', subresource: '' };
  }

  /** A name that no namespace can have is refused: the request that needs it says so. */
  async #provide(name: string): Promise<void> {
    if (this.#namespaces.has(name)) return;
    this.#namespaces.add(name);
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await this.#create({ object }, { fieldValidation: 'Strict', isDryRun: false });
  }

  #context({ fieldValidation, isDryRun }: JudgeOptions, warn: (text: string) => void): RequestContext {
    return {
      user: ADMIN,
      fieldManager: 'keelson',
      fieldValidation,
      isDryRun,
      now: () => this.#core.clock.now(),
      warn,
      signal: NEVER,
      authorize: () => undefined,
    };
  }

  #notAccepted(name: string): string | undefined {
    const resource = this.resourceOf(DEFINITION)?.storageKey ?? '';
    const stored = this.#core.store.get({ resource, namespace: '', name }) as { readonly status?: DefinitionStatus } | undefined;
    return stored?.status?.conditions?.find(({ type, status }) => type === 'NamesAccepted' && status === 'False')?.message;
  }
}

interface DefinitionStatus {
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
}

const DEFINITION = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: {} };
const CONFLICT = { status: 'Failure', code: 409, reason: 'Conflict' } as const;
const NOT_FOUND = { status: 'Failure', code: 404, reason: 'NotFound' } as const;

const bodyOf = ({ object, strictProblems = [] }: ReadManifest): RequestBody => ({ value: object as unknown as Json, strictProblems });
