import { apiVersionOf, messageOf } from '@keelson/kubernetes/apimachinery';
import type { CustomResourceModel, CustomResourceVersionModel, Logger } from 'keelson/internal/definition';
import type { ApiClient } from '../client/index.js';
import { type Clock, pause } from '../clock/index.js';
import { missingFields } from './missing-fields.js';
import { readServedGroup, type ServedGroup } from './served-group.js';

/** Counters for metrics. */
export interface SchemaReviewObserver {
  /** @param count 0 when nothing is missing, or the review has ended */
  missing?(crd: string, count: number): void;
}

export interface SchemaReviewOptions {
  readonly client: Pick<ApiClient, 'transport'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly resources: readonly CustomResourceModel[];
  readonly observer?: SchemaReviewObserver | undefined;
}

/** The start belongs to the caches and the first runs; and a release whose Deployment comes before its CustomResourceDefinition is not worth a warning. */
const FIRST_MS = 10_000;
/** An administrator mends the definition, and waits for the log to say so. */
const TROUBLED_MS = 60_000;
const QUIET_MS = 600_000;
/** In a text; all are in the fields of the log. */
const MOST_NAMED = 20;

/** The state of one version of a kind. */
type Known =
  | { readonly is: 'compared'; readonly missing: readonly string[] }
  | { readonly is: 'absent' }
  /** The API server could not be asked. */
  | { readonly is: 'unknown' };

interface Asked {
  readonly tag: string | undefined;
  /** By kind; a kind that is not there is not served. */
  readonly missing: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reports the fields of the operator's definitions that the CustomResourceDefinitions on the cluster lack: the API server drops them without an error, of the
 * spec as of the status, and warns only the client that writes them.
 *
 * Flow: some time after the term has begun, and from then on every ten minutes (every minute while something is missing), the OpenAPI document of each group and
 * version is read → each served version is compared → one entry of the log for each resource when what is missing has changed, one when nothing is missing any more.
 * Guarantees: one small request for a document that has not changed; no right beyond that of every authenticated user; it never rejects, and holds nothing up.
 * Assumptions: a leader runs it, so that one replica says it. A resource of which no version is served is left to the cache, which says so.
 * Errors: a server that does not answer, or refuses, is said at `debug`, and asked again.
 */
export class SchemaReview {
  readonly #options: SchemaReviewOptions;
  readonly #asked = new Map<string, Asked>();
  /** The missing fields in the last entry of the log, by name of the definition. */
  readonly #said = new Map<string, string>();

  constructor(options: SchemaReviewOptions) {
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, resources, observer } = this.#options;
    if (resources.length === 0) return;
    await pause(clock, FIRST_MS, signal);
    while (!signal.aborted) {
      await this.#review(signal);
      await pause(clock, this.#said.size > 0 ? TROUBLED_MS : QUIET_MS, signal);
    }
    // The next leader says it anew.
    this.#said.clear();
    for (const resource of resources) observer?.missing?.(nameOf(resource), 0);
  }

  async #review(signal: AbortSignal): Promise<void> {
    const known = new Map<string, Known>();
    for (const { apiVersion, ...asked } of this.#groupVersions()) {
      const group = await this.#read(apiVersion, asked, signal);
      if (signal.aborted) return;
      for (const [kind, state] of group) known.set(`${apiVersion} ${kind}`, state);
    }
    for (const resource of this.#options.resources) this.#report(resource, known);
  }

  #groupVersions(): readonly { readonly apiVersion: string; readonly group: string; readonly version: string }[] {
    const all = this.#options.resources.flatMap((resource) =>
      servedVersions(resource).map(({ name: version }) => {
        const { group } = resource;
        return { apiVersion: apiVersionOf({ group, version }), group, version };
      }),
    );
    return [...new Map(all.map((one) => [one.apiVersion, one])).values()];
  }

  /** The state of each kind that the operator defines in the group and version. */
  async #read(
    apiVersion: string,
    asked: { readonly group: string; readonly version: string },
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Known>> {
    const { client, log } = this.#options;
    const own = this.#options.resources.filter(
      (resource) => resource.group === asked.group && servedVersions(resource).some(({ name }) => name === asked.version),
    );
    const all = (state: Known): ReadonlyMap<string, Known> => new Map(own.map(({ kind }) => [kind, state]));
    let answer: ServedGroup;
    try {
      answer = await readServedGroup(client, asked, { tag: this.#asked.get(apiVersion)?.tag, signal });
    } catch (error) {
      answer = { is: 'unreadable', why: messageOf(error) };
    }
    if (answer.is === 'unreadable') {
      if (!signal.aborted)
        log.debug('the served schemas cannot be read; they are not compared with the definitions', {
          apiVersion,
          why: answer.why,
        });
      return all({ is: 'unknown' });
    }
    if (answer.is === 'absent') {
      this.#asked.delete(apiVersion);
      return all({ is: 'absent' });
    }
    if (answer.is === 'served') this.#asked.set(apiVersion, compared(own, asked.version, answer));
    const { missing } = this.#asked.get(apiVersion) ?? { missing: new Map<string, readonly string[]>() };
    return new Map(own.map(({ kind }) => [kind, stateOf(missing.get(kind))]));
  }

  #report(resource: CustomResourceModel, known: ReadonlyMap<string, Known>): void {
    const { log, observer } = this.#options;
    const versions = servedVersions(resource).map(({ name }) => ({
      name,
      state: known.get(`${resource.group}/${name} ${resource.kind}`) ?? ({ is: 'unknown' } as const),
    }));
    // Nothing is served: it is not installed. Something is unknown: what was said last still holds.
    if (!versions.some(({ state }) => state.is === 'compared') || versions.some(({ state }) => state.is === 'unknown')) return;
    const missing = versions.flatMap(({ name, state }) =>
      state.is === 'compared' ? state.missing.map((path) => `${name} ${path}`) : [`${name}, the version itself`],
    );
    const crd = nameOf(resource);
    observer?.missing?.(crd, missing.length);
    const text = missing.join('\n');
    if (text === (this.#said.get(crd) ?? '')) return;
    if (text === '') {
      this.#said.delete(crd);
      log.info(`${resource.kind}: the CustomResourceDefinition on the cluster lacks nothing any more`, { crd });
      return;
    }
    this.#said.set(crd, text);
    log.warn(
      `${resource.kind}: the CustomResourceDefinition on the cluster is not of this release: it lacks ${named(missing)}. The API server drops fields that it does ` +
        `not know. Apply ${crd} of this release: kubectl apply --server-side --force-conflicts -f FILE, or upgrade the chart with crds.enabled=true`,
      { crd, missing },
    );
  }
}

function nameOf({ plural, group }: CustomResourceModel): string {
  return `${plural}.${group}`;
}

/** In no other version can an object be written. */
function servedVersions({ versionList }: CustomResourceModel): readonly CustomResourceVersionModel[] {
  return versionList.filter(({ served }) => served);
}

function compared(
  own: readonly CustomResourceModel[],
  version: string,
  { tag, schemas }: Extract<ServedGroup, { readonly is: 'served' }>,
): Asked {
  const missing = own.flatMap((resource) => {
    const schema = resource.versionList.find(({ name }) => name === version)?.schema;
    if (schema === undefined || !schemas.has(resource.kind)) return [];
    return [[resource.kind, missingFields(schema, schemas.get(resource.kind))] as const];
  });
  return { tag, missing: new Map(missing) };
}

function stateOf(missing: readonly string[] | undefined): Known {
  return missing === undefined ? { is: 'absent' } : { is: 'compared', missing };
}

function named(missing: readonly string[]): string {
  const more = missing.length - MOST_NAMED;
  return `${missing.slice(0, MOST_NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
