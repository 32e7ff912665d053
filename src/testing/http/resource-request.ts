import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject, type PatchFormat, type RequestContext, type RequestUser, type Target } from '../resources/index.js';
import { badRequest, methodNotSupported } from '../status/index.js';
import type { Answer } from './answer.js';
import { type BodyReader, bodyFormatOf, expectedKind, readObject, readOptions, readPatch, unsupportedBody } from './body-object.js';
import { type DeleteRequestOptions, deleteOptionsOfBody, deleteOptionsOfQuery } from './delete-options.js';
import { mediaTypeNotConsumed } from './generic-errors.js';
import { listRequestOf, selectName } from './list-options.js';
import type { HttpParts } from './parts.js';
import { plainParameter, truthParameter } from './query.js';
import { readBody } from './request-body.js';
import type { Route } from './routes.js';
import { type WriteOptions, type WriteOptionsKind, writeOptionsOf } from './write-options.js';

/** What a request brings beside its route. */
export interface RequestSurroundings {
  readonly parts: Pick<HttpParts, 'api' | 'now'>;
  readonly reader: BodyReader;
  readonly maxBodyBytes: number;
  readonly user: RequestUser;
  readonly query: URLSearchParams;
  readonly signal: AbortSignal;
  readonly warn: (text: string) => void;
  readonly authorize: (verb: string) => void;
  readonly onBodyRead: () => void;
}

const PATCH_FORMATS: Readonly<Record<string, PatchFormat>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

/** Handles one request at a resource, up to the answer; watches are another matter. The order of the checks is the server's: it decides which error is told. */
export class ResourceRequest {
  readonly #request: IncomingMessage;
  readonly #route: Route;
  readonly #with: RequestSurroundings;

  constructor(request: IncomingMessage, route: Route, surroundings: RequestSurroundings) {
    this.#request = request;
    this.#route = route;
    this.#with = surroundings;
  }

  /** @throws StatusError */
  handle(): Promise<Answer> {
    const { verb, description } = this.#route;
    if (description?.handle !== undefined) return this.#handleSubresource(description.handle);
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
    return this.#request.headers['content-type'] ?? '';
  }

  get #userAgent(): string {
    return this.#request.headers['user-agent'] ?? '';
  }

  async #body(): Promise<Buffer> {
    const bytes = await readBody(this.#request, this.#with.maxBodyBytes);
    this.#with.onBodyRead();
    return bytes;
  }

  #options(kind: WriteOptionsKind, isApply = false): WriteOptions {
    return writeOptionsOf({ kind, query: this.#with.query, userAgent: this.#userAgent, isApply });
  }

  #context({ fieldManager, fieldValidation, isDryRun }: Omit<WriteOptions, 'force'>): RequestContext {
    const { user, parts, warn, signal, authorize } = this.#with;
    return { user, fieldManager, fieldValidation, isDryRun, now: parts.now, warn, signal, authorize };
  }

  #objectAnswer(code: number, object: JsonObject): Answer {
    const { served, subresource } = this.#route;
    // A Scale has neither the columns nor the place of its object.
    if (subresource === 'scale') return { type: 'value', code, value: object };
    return { type: 'object', code, object, served };
  }

  #checkName(): void {
    if (this.#route.name === '') throw badRequest('name must be provided');
  }

  async #create(): Promise<Answer> {
    const format = bodyFormatOf(this.#contentType);
    const bytes = await this.#body();
    const options = this.#options('CreateOptions');
    const { served, description } = this.#route;
    const body = readObject(bytes, format, { expected: expectedKind(served, description), reader: this.#with.reader });
    const object = await this.#with.parts.api.create({ ...this.#target, name: '' }, body, this.#context(options));
    return this.#objectAnswer(201, object);
  }

  async #get(): Promise<Answer> {
    this.#checkName();
    const { query, parts } = this.#with;
    if (truthParameter(query, 'export') === true) throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
    const resourceVersion = plainParameter(query, 'resourceVersion');
    return this.#objectAnswer(200, await parts.api.get(this.#target, resourceVersion === undefined ? {} : { resourceVersion }));
  }

  async #list(): Promise<Answer> {
    const { list } = listRequestOf(this.#with.query);
    const options = { ...list, ...selectName(list, this.#route.name) };
    const result = await this.#with.parts.api.list({ ...this.#target, name: '' }, options);
    return { type: 'list', code: 200, list: result, served: this.#route.served };
  }

  async #update(): Promise<Answer> {
    this.#checkName();
    const bytes = await this.#body();
    const options = this.#options('UpdateOptions');
    const format = bodyFormatOf(this.#contentType);
    const { served, description } = this.#route;
    const body = readObject(bytes, format, { expected: expectedKind(served, description), reader: this.#with.reader });
    const { object, isCreated } = await this.#with.parts.api.update(this.#target, body, this.#context(options));
    return this.#objectAnswer(isCreated ? 201 : 200, object);
  }

  async #patch(): Promise<Answer> {
    const format = this.#patchFormat();
    this.#checkName();
    const bytes = await this.#body();
    const options = this.#options('PatchOptions', format === 'apply');
    const body = await this.#readPatch(bytes, format);
    const patch = { ...body, format, force: options.force };
    const { object, isCreated } = await this.#with.parts.api.patch(this.#target, patch, this.#context(options));
    return this.#objectAnswer(isCreated ? 201 : 200, object);
  }

  async #readPatch(bytes: Buffer, format: PatchFormat): Promise<ReturnType<typeof readPatch>> {
    try {
      return readPatch(bytes, format);
    } catch (error) {
      // The server reads the patch when it has the object: that there is none is told before.
      if (format !== 'apply') await this.#with.parts.api.get(this.#target, {});
      throw error;
    }
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
    if (bytes.length === 0) return deleteOptionsOfQuery(this.#with.query);
    return deleteOptionsOfBody(readOptions(bytes, bodyFormatOf(this.#contentType), this.#with.reader));
  }

  /** The options of a deletion have neither of these parameters; the manager is that of the program. */
  #deleteContext(isDryRun: boolean): RequestContext {
    const { fieldManager } = writeOptionsOf({ kind: 'CreateOptions', query: new URLSearchParams(), userAgent: this.#userAgent });
    return this.#context({ fieldManager, fieldValidation: 'Ignore', isDryRun });
  }

  async #delete(): Promise<Answer> {
    this.#checkName();
    const { options, isDryRun, isOrphaningForbidden } = await this.#deleteOptions();
    const deleted = await this.#with.parts.api.delete(this.#target, options, this.#deleteContext(isDryRun));
    if ('status' in deleted) return { type: 'status', status: deleted.status };
    return this.#objectAnswer(isOrphaningForbidden && isStillThere(deleted.object) ? 202 : 200, deleted.object);
  }

  async #deleteCollection(): Promise<Answer> {
    const { list } = listRequestOf(this.#with.query);
    const { options, isDryRun } = await this.#deleteOptions();
    const result = await this.#with.parts.api.deleteCollection(
      { ...this.#target, name: '' },
      { list, delete: options },
      this.#deleteContext(isDryRun),
    );
    return { type: 'list', code: 200, list: result, served: this.#route.served };
  }

  async #handleSubresource(handle: NonNullable<NonNullable<Route['description']>['handle']>): Promise<Answer> {
    const { served, description, verb, namespace, name } = this.#route;
    const isWrite = verb === 'create' || verb === 'update';
    const format = verb === 'create' ? bodyFormatOf(this.#contentType) : undefined;
    const bytes = isWrite ? await this.#body() : undefined;
    const options = isWrite ? this.#options(verb === 'create' ? 'CreateOptions' : 'UpdateOptions') : READ_OPTIONS;
    const context = this.#context(options);
    const body =
      bytes === undefined
        ? undefined
        : readObject(bytes, format ?? bodyFormatOf(this.#contentType), {
            expected: expectedKind(served, description),
            reader: this.#with.reader,
          });
    if (body !== undefined)
      checkStrictly(body.strictProblems, {
        context,
        kind: description?.kind ?? served.resource.kind,
        version: description?.version ?? served.version.version,
      });
    const request = { verb: verb as 'create' | 'get', namespace, name, body: body?.value, query: this.#with.query };
    const answer = await handle(request, context);
    return typeof answer.body === 'string'
      ? { type: 'text', code: answer.code, text: answer.body }
      : { type: 'value', code: answer.code, value: answer.body };
  }
}

const READ_OPTIONS = { fieldManager: 'unknown', fieldValidation: 'Ignore', isDryRun: false } as const;

/** What the router of built-in resources asks: any of the types, whatever its parameters. */
function isConsumed(contentType: string, accepted: readonly string[]): boolean {
  return contentType.split(',').some((part) => accepted.includes((part.split(';', 1)[0] ?? '').trim()));
}

/** With a deletionTimestamp it waits for something. */
function isStillThere(object: JsonObject): boolean {
  const metadata = object['metadata'];
  return isObject(metadata) && metadata['deletionTimestamp'] !== undefined;
}

interface Strictness {
  readonly context: RequestContext;
  readonly kind: string;
  readonly version: string;
}

function checkStrictly(problems: readonly string[], { context, kind, version }: Strictness): void {
  if (problems.length === 0 || context.fieldValidation === 'Ignore') return;
  if (context.fieldValidation === 'Strict')
    throw badRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: strict decoding error: ${problems.join(', ')}`,
    );
  for (const problem of problems) context.warn(problem);
}
