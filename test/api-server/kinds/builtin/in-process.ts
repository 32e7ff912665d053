import { type DeleteOptions, ResourceCatalog, type Target } from '../../../../src/api-server/contract/index.js';
import { builtinResources } from '../../../../src/api-server/kinds/builtin/index.js';
import { Registry, StoreView } from '../../../../src/api-server/registry/index.js';
import { StatusError, statusBody } from '../../../../src/api-server/status/index.js';
import { Store } from '../../../../src/api-server/store/index.js';
import type { Json } from '../../../../src/kubernetes/index.js';
import { HandClock } from '../../store/hand-clock.js';
import { bodyOf, nameOf, type Step, type Story } from './cases/story.js';
import { context } from './surroundings.js';

export interface Told {
  readonly status: number;
  readonly body: Json;
  readonly warnings: readonly string[];
}

/** The built-in kinds behind a registry, without HTTP and without admission: what a story comes to. */
export class InProcess {
  readonly #store = new Store({ clock: new HandClock() });
  readonly #catalog = new ResourceCatalog();
  readonly #registry = new Registry({ store: this.#store, admission: { mutate: async () => undefined, validate: async () => undefined } });

  constructor() {
    const cluster = new StoreView(this.#store, this.#catalog);
    for (const resource of builtinResources({ cluster, serviceRange: '10.0.0.0/24' })) this.#catalog.put(resource);
  }

  async tell(story: Story): Promise<readonly Told[]> {
    const told = [await this.#ask((context) => this.#registry.create(this.#target(story, '', ''), bodyAs(bodyOf(story)), context), 201)];
    for (const step of story.steps ?? []) told.push(await this.#step(story, step));
    return told;
  }

  async #step(story: Story, step: Step): Promise<Told> {
    const subresource = 'subresource' in step ? (step.subresource ?? '') : '';
    const target = this.#target(story, nameOf(story), subresource);
    if ('get' in step) {
      const read = step.get === 'object' ? '' : step.get;
      return this.#ask(() => this.#registry.get(this.#target(story, nameOf(story), read), {}), 200);
    }
    if ('delete' in step) {
      return this.#ask(async (context) => {
        const deleted = await this.#registry.delete(target, step.delete as DeleteOptions, context);
        return 'object' in deleted ? deleted.object : statusBody(deleted.status);
      }, 200);
    }
    const patch = { ...bodyAs(step.patch), format: 'merge', force: false } as const;
    return this.#ask(async (context) => (await this.#registry.patch(target, patch, context)).object, 200);
  }

  #target({ apiVersion, plural }: Story, name: string, subresource: string): Target {
    const [group, version] = apiVersion.includes('/') ? (apiVersion.split('/') as [string, string]) : ['', apiVersion];
    const served = this.#catalog.served(group, version, plural);
    if (served === undefined) throw new Error(`there are no ${plural} in ${apiVersion}`);
    return { served, namespace: 'stories', name, subresource };
  }

  async #ask(send: (asking: typeof context) => Promise<unknown>, status: number): Promise<Told> {
    const warnings: string[] = [];
    try {
      const body = (await send({ ...context, fieldValidation: 'Warn', warn: (text) => warnings.push(text) })) as Json;
      return { status, body, warnings };
    } catch (error) {
      if (!StatusError.isStatusError(error)) throw error;
      return { status: error.status.code, body: statusBody(error.status) as Json, warnings };
    }
  }
}

function bodyAs(value: Json): { readonly value: Json; readonly strictProblems: readonly string[] } {
  return { value, strictProblems: [] };
}
