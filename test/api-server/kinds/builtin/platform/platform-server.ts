import { type DeleteOptions, type JsonObject, ResourceCatalog, type Target } from '../../../../../src/api-server/contract/index.js';
import { builtinResources } from '../../../../../src/api-server/kinds/builtin/index.js';
import { Registry, StoreView } from '../../../../../src/api-server/registry/index.js';
import { StatusError, statusBody } from '../../../../../src/api-server/status/index.js';
import { Store } from '../../../../../src/api-server/store/index.js';
import type { Json } from '../../../../../src/kubernetes/index.js';
import { masked } from '../../../registry/differential/exchange.js';
import { HandClock } from '../../../store/hand-clock.js';
import { context } from '../surroundings.js';
import type { Ask } from './ask.js';

export interface Told {
  readonly status: number;
  readonly body: Json;
  readonly warnings: readonly string[];
}

/** The built-in kinds behind a registry, asked by paths: no HTTP, no admission. */
export class PlatformServer {
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

interface Cause {
  readonly field?: string;
  readonly message?: string;
}

/** The order of Go's maps is nobody's: of several causes the set counts, and their message says nothing more. */
export function comparable({ status, body, warnings }: Told): unknown {
  const { details, message, ...rest } = masked(body) as { details?: { causes?: Cause[] }; message?: string };
  const causes = (details?.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`).sort();
  const answer = causes.length > 1 ? { ...rest, details: { ...details, causes } } : masked(body);
  return { status, body: withoutChoices(answer), warnings: [...new Set(warnings)].sort() };
}

/** Addresses and ports of Services that the server chose itself: those are never in the part of the range that is kept for who asks. */
const CHOSEN_ADDRESS = /\b10\.0\.0\.(?:1[7-9]|[2-9][0-9]|[12][0-9]{2})\b/g;
const CHOSEN_PORT = 30_086;

function withoutChoices(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CHOSEN_ADDRESS, '<address>');
  if (typeof value === 'number') return value >= CHOSEN_PORT && value <= 32_767 ? '<port>' : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutChoices);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'managedFields' ? inAnyOrder(item) : withoutChoices(item)]),
  );
}

/** Managers stand in the order of their seconds: whether two writes fell into one is nobody's. */
function inAnyOrder(managers: unknown): unknown {
  return Array.isArray(managers) ? managers.map((manager) => JSON.stringify(manager)).sort() : managers;
}
