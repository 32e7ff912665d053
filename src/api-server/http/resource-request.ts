import { goQuote } from '@keelson/kubernetes/apimachinery';
import type { JsonObject, PatchFormat, RequestContext, Subresource, SubresourceRequest, Target, Verb } from '../contract/index.js';
import { scaleTable } from '../documents/index.js';
import { badRequest, methodNotSupported, notImplemented } from '../status/index.js';
import type { ParsedBody } from '../values/index.js';
import type { Answer } from './answer.js';
import { type BodyReader, bodyFormatOf, expectedKind, readObject, readOptions, readPatch, unsupportedBody } from './body-object.js';
import { type DeleteRequestOptions, deleteOptionsOfBody, deleteOptionsOfQuery } from './delete-options.js';
import { mediaTypeNotConsumed } from './generic-errors.js';
import { listRequestOf, selectName } from './list-options.js';
import { type HttpParts, LIMIT_DEFAULTS } from './parts.js';
import { plainParameter, truthParameter } from './query.js';
import { hasBody, readBody } from './request-body.js';
import type { Route } from './routes.js';
import type { ServedRequest } from './served-request.js';
import { authorize } from './stages.js';
import { type WriteOptions, type WriteOptionsKind, writeOptionsOf } from './write-options.js';

/** The parts of the server that handle a request. */
export interface ResourceParts extends Pick<HttpParts, 'api' | 'gatekeeper' | 'limits' | 'now'> {
  readonly reader: BodyReader;
}

const PATCH_FORMATS: Readonly<Record<string, PatchFormat>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Handles one request at a resource, up to the answer; watches are another matter. The order of the checks is the server's: the first error is the answer. */
export class ResourceRequest {
  readonly #request: ServedRequest;
  readonly #route: Route;
  readonly #parts: ResourceParts;

  constructor(request: ServedRequest, route: Route, parts: ResourceParts) {
    this.#request = request;
    this.#route = route;
    this.#parts = parts;
  }

  /** @throws StatusError */
  handle(): Promise<Answer> {
    const { verb, description, served } = this.#route;
    const handle = description === undefined ? served.version.handle : description.handle;
    if (handle !== undefined) return this.#handleElsewhere(handle);
    switch (verb) {
      case 'create':
        return this.#create();
      case 'get':
        return this.#get();
      case 'list':
        return this.#list();
      case 'update':
        return this.#update();
      case 'patch':
        return this.#patch();
      case 'delete':
        return this.#delete();
      case 'deletecollection':
        return this.#deleteCollection();
      case 'watch':
        throw methodNotSupported(this.#route.served.resource, 'watch');
    }
  }

  get #target(): Target {
    const { served, namespace, name, subresource } = this.#route;
    return { served, namespace, name, subresource };
  }

  get #contentType(): string {
    return this.#request.message.headers['content-type'] ?? '';
  }

  get #userAgent(): string {
    return this.#request.message.headers['user-agent'] ?? '';
  }

  async #body(): Promise<Buffer> {
    const { message, upgrade, journal } = this.#request;
    // Node has not read it: it lies behind the head, on a connection that is no longer HTTP's.
    if (upgrade !== undefined && hasBody(message)) throw notImplemented('a body in a request that asks for another protocol');
    const { maxBodyBytes = LIMIT_DEFAULTS.maxBodyBytes } = this.#parts.limits ?? {};
    const bytes = await readBody(message, maxBodyBytes);
    journal.reached('bodyReadMs');
    return bytes;
  }

  #options(kind: WriteOptionsKind, isApply = false): WriteOptions {
    return writeOptionsOf({ kind, query: this.#request.query, userAgent: this.#userAgent, isApply });
  }

  #context({ fieldManager, fieldValidation, isDryRun, parameters }: Omit<WriteOptions, 'force'>): RequestContext {
    const { user, aborter } = this.#request;
    return {
      user,
      fieldManager,
      fieldValidation,
      isDryRun,
      parameters,
      now: this.#parts.now,
      warn: (text) => this.#warn(text),
      signal: aborter.signal,
      authorize: (verb) => authorize(this.#request, verb, this.#parts.gatekeeper),
    };
  }

  #warn(text: string): void {
    this.#request.reply.warnings.add(text);
  }

  #objectAnswer(code: number, object: JsonObject): Answer {
    const { served, subresource } = this.#route;
    if (subresource !== 'scale') return { type: 'object', code, object, served };
    // A Scale has columns of its own.
    const table = scaleTable(served.resource);
    return { type: 'object', code, object, served: { ...served, version: { ...served.version, table } } };
  }

  #checkName(): void {
    if (this.#route.name === '') throw badRequest('name must be provided');
  }

  #checkNotExported(): void {
    if (truthParameter(this.#request.query, 'export') !== true) return;
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }

  async #create(): Promise<Answer> {
    const format = bodyFormatOf(this.#contentType);
    const bytes = await this.#body();
    const options = this.#options('CreateOptions');
    const { served, description } = this.#route;
    const body = readObject(bytes, format, { expected: expectedKind(served, description), reader: this.#parts.reader });
    const object = await this.#parts.api.create({ ...this.#target, name: '' }, body, this.#context(options));
    return this.#objectAnswer(201, object);
  }

  async #get(): Promise<Answer> {
    this.#checkName();
    this.#checkNotExported();
    const resourceVersion = plainParameter(this.#request.query, 'resourceVersion');
    return this.#objectAnswer(200, await this.#parts.api.get(this.#target, resourceVersion === undefined ? {} : { resourceVersion }));
  }

  async #list(): Promise<Answer> {
    const { list } = listRequestOf(this.#request.query);
    const options = { ...list, ...selectName(list, this.#route.name) };
    const result = await this.#parts.api.list({ ...this.#target, name: '' }, options);
    return { type: 'list', code: 200, list: result, served: this.#route.served };
  }

  async #update(): Promise<Answer> {
    this.#checkName();
    const bytes = await this.#body();
    const options = this.#options('UpdateOptions');
    const format = bodyFormatOf(this.#contentType);
    const { served, description } = this.#route;
    const body = readObject(bytes, format, { expected: expectedKind(served, description), reader: this.#parts.reader });
    const { object, isCreated } = await this.#parts.api.update(this.#target, body, this.#context(options));
    return this.#objectAnswer(isCreated ? 201 : 200, object);
  }

  async #patch(): Promise<Answer> {
    const format = this.#patchFormat();
    this.#checkName();
    const bytes = await this.#body();
    const options = this.#options('PatchOptions', format === 'apply');
    const body = readPatch(bytes, format);
    const patch = { ...body, format, force: options.force };
    const { object, isCreated } = await this.#parts.api.patch(this.#target, patch, this.#context(options));
    return this.#objectAnswer(isCreated ? 201 : 200, object);
  }

  #patchFormat(): PatchFormat {
    const { resource } = this.#route.served;
    const accepted = Object.keys(PATCH_FORMATS).filter((type) => !resource.isCustom || PATCH_FORMATS[type] !== 'strategic');
    const header = this.#contentType;
    if (!resource.isCustom && !isConsumed(header, accepted)) throw mediaTypeNotConsumed();
    const end = header.indexOf(';');
    const contentType = end > 0 ? header.slice(0, end) : header;
    const format = accepted.includes(contentType) ? PATCH_FORMATS[contentType] : undefined;
    if (format === undefined) throw unsupportedBody(accepted);
    return format;
  }

  async #deleteOptions(): Promise<DeleteRequestOptions> {
    const bytes = await this.#body();
    if (bytes.length === 0) return deleteOptionsOfQuery(this.#request.query);
    return deleteOptionsOfBody(readOptions(bytes, bodyFormatOf(this.#contentType), this.#parts.reader));
  }

  /** The options of a deletion have neither of these parameters; the manager is that of the program. */
  #deleteContext(isDryRun: boolean): RequestContext {
    const { fieldManager } = writeOptionsOf({ kind: 'CreateOptions', query: new URLSearchParams(), userAgent: this.#userAgent });
    return this.#context({ fieldManager, fieldValidation: 'Ignore', isDryRun, parameters: {} });
  }

  async #delete(): Promise<Answer> {
    this.#checkName();
    const { options, isDryRun, isOrphaningForbidden } = await this.#deleteOptions();
    const deleted = await this.#parts.api.delete(this.#target, options, this.#deleteContext(isDryRun));
    if ('status' in deleted) return { type: 'status', status: deleted.status };
    return this.#objectAnswer(isOrphaningForbidden && deleted.isPending ? 202 : 200, deleted.object);
  }

  async #deleteCollection(): Promise<Answer> {
    const { list } = listRequestOf(this.#request.query);
    const { options, isDryRun } = await this.#deleteOptions();
    const result = await this.#parts.api.deleteCollection(
      { ...this.#target, name: '' },
      { list, delete: options },
      this.#deleteContext(isDryRun),
    );
    return { type: 'list', code: 200, list: result, served: this.#route.served };
  }

  /** Virtual resources (reviews), and subresources that are more than an update. */
  async #handleElsewhere(handle: NonNullable<Subresource['handle']>): Promise<Answer> {
    const { verb, namespace, name, description } = this.#route;
    if (verb === 'get' && description === undefined) this.#checkNotExported();
    const reads = description?.connects !== true && (verb === 'create' || verb === 'update');
    const written = reads ? await this.#readElsewhere(verb) : undefined;
    const context = this.#context(written?.options ?? READ_OPTIONS);
    if (written !== undefined) this.#checkStrictly(written.body.strictProblems, context);
    const request = { verb: HANDLER_VERBS[verb], namespace, name, body: written?.body.value, query: this.#request.query };
    const answer = await handle(request, context);
    if ('stream' in answer) return { type: 'stream', stream: answer.stream };
    if ('streams' in answer) return { type: 'connection', connection: answer };
    const { served } = this.#route;
    if ('object' in answer) return { type: 'object', code: 200, object: answer.object, served };
    if ('items' in answer) return { type: 'list', code: 200, list: { items: answer.items, resourceVersion: '' }, served };
    const { code, body } = answer;
    return typeof body === 'string' ? { type: 'text', code, text: body } : { type: 'value', code, value: body };
  }

  async #readElsewhere(verb: 'create' | 'update'): Promise<{ readonly body: ParsedBody; readonly options: WriteOptions }> {
    const format = bodyFormatOf(this.#contentType);
    const bytes = await this.#body();
    const options = this.#options(verb === 'create' ? 'CreateOptions' : 'UpdateOptions');
    const { served, description } = this.#route;
    return { body: readObject(bytes, format, { expected: expectedKind(served, description), reader: this.#parts.reader }), options };
  }

  /** The registry does this for its own objects. */
  #checkStrictly(problems: readonly string[], { fieldValidation }: RequestContext): void {
    if (problems.length === 0 || fieldValidation === 'Ignore') return;
    if (fieldValidation === 'Warn') for (const problem of problems) this.#warn(problem);
    else {
      const { kind, version } = expectedKind(this.#route.served, this.#route.description);
      throw badRequest(
        `${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: strict decoding error: ${problems.join(', ')}`,
      );
    }
  }
}

/** The arguments of a handler; a read of a collection has no name. */
const HANDLER_VERBS: Readonly<Record<Verb, SubresourceRequest['verb']>> = {
  create: 'create',
  update: 'update',
  patch: 'patch',
  get: 'get',
  list: 'get',
  watch: 'get',
  delete: 'delete',
  deletecollection: 'delete',
};
const READ_OPTIONS = { fieldManager: 'unknown', fieldValidation: 'Ignore', isDryRun: false, parameters: {} } as const;

/** The check of the router of built-in resources: any of the types, whatever its parameters. */
function isConsumed(contentType: string, accepted: readonly string[]): boolean {
  return contentType.split(',').some((part) => accepted.includes((part.split(';', 1)[0] ?? '').trim()));
}
