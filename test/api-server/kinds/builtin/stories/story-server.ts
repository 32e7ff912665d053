import { type DeleteOptions, type JsonObject, ResourceCatalog, type Target } from '../../../../../src/api-server/contract/index.js';
import { builtinResources } from '../../../../../src/api-server/kinds/builtin/index.js';
import { Registry, StoreView } from '../../../../../src/api-server/registry/index.js';
import { StatusError, statusBody } from '../../../../../src/api-server/status/index.js';
import { Store } from '../../../../../src/api-server/store/index.js';
import type { Json } from '../../../../../src/kubernetes/apimachinery/index.js';
import { HandClock } from '../../../store/hand-clock.js';
import { context } from '../surroundings.js';
import type { Ask, Fields, Story } from './story.js';

/** An answer to one request of a story. */
export interface Told {
  readonly status: number;
  readonly body: Json;
  readonly warnings: readonly string[];
}

/** The built-in kinds behind a registry, asked by paths: no HTTP, no admission. */
export class StoryServer {
  readonly store = new Store({ clock: new HandClock() });
  readonly #catalog = new ResourceCatalog();
  readonly #registry = new Registry({ store: this.store, admission: { mutate: async () => undefined, validate: async () => undefined } });

  constructor(serviceRange = '10.0.0.0/24') {
    const cluster = new StoreView(this.store, this.#catalog);
    for (const resource of builtinResources({ cluster, serviceRange })) this.#catalog.put(resource);
  }

  async ask({ method, path, body = {} }: Ask): Promise<Told> {
    const target = this.#target(path);
    const request = { value: body, strictProblems: [] };
    const warnings: string[] = [];
    const { deprecationWarning } = target.served.version;
    if (deprecationWarning !== undefined) warnings.push(deprecationWarning);
    // As a token of a real server makes it.
    const user = { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };
    const asking = {
      ...context,
      user,
      now: () => new Date(),
      fieldValidation: 'Warn',
      warn: (text: string) => warnings.push(text),
    } as const;
    try {
      switch (method) {
        case 'POST':
          return { status: 201, body: (await this.#registry.create(target, request, asking)) as Json, warnings };
        case 'PUT': {
          const { object, isCreated } = await this.#registry.update(target, request, asking);
          return { status: isCreated ? 201 : 200, body: object as Json, warnings };
        }
        case 'PATCH': {
          const { object } = await this.#registry.patch(target, { ...request, format: 'merge', force: false }, asking);
          return { status: 200, body: object as Json, warnings };
        }
        case 'DELETE': {
          const deleted = await this.#registry.delete(target, body as DeleteOptions, asking);
          return { status: 200, body: ('object' in deleted ? deleted.object : statusBody(deleted.status)) as Json, warnings };
        }
        case 'GET':
          return { status: 200, body: (await this.#registry.get(target, {})) as Json, warnings };
      }
    } catch (error) {
      if (!StatusError.isStatusError(error)) throw error;
      return { status: error.status.code, body: statusBody(error.status) as Json, warnings };
    }
  }

  /** Plays a whole story. */
  async tell({ asks }: Story): Promise<readonly Told[]> {
    const told: Told[] = [];
    for (const ask of asks) told.push(await this.ask(ask));
    return told;
  }

  /** Of an object that must be accepted. */
  async must(ask: Ask): Promise<JsonObject> {
    const { status, body } = await this.ask(ask);
    if (status >= 300) throw new Error(`${ask.method} ${ask.path}: ${JSON.stringify(body)}`);
    return body as JsonObject;
  }

  #target(path: string): Target {
    const steps = path.split('/').slice(1);
    const [group = '', version = ''] = steps.shift() === 'api' ? ['', steps.shift()] : [steps.shift(), steps.shift()];
    const isNamespaced = steps[0] === 'namespaces' && steps.length > 2 && steps[2] !== 'finalize' && steps[2] !== 'status';
    const namespace = isNamespaced ? (steps.splice(0, 2)[1] ?? '') : '';
    const [plural = '', name = '', subresource = ''] = steps;
    const served = this.#catalog.served(group, version, plural);
    if (served === undefined) throw new Error(`${path} is not served`);
    return { served, namespace, name, subresource };
  }
}

/** Creates one object named `a` on a new server. */
export async function created(path: string, body: Fields = {}): Promise<Told> {
  return new StoryServer().ask({ method: 'POST', path, body: { metadata: { name: 'a' }, ...body } });
}

/** The message of a refusal. */
export function messageOf(told: Told | undefined): string {
  if (told === undefined) throw new Error('the story has no such answer');
  return (told.body as { message: string }).message;
}
