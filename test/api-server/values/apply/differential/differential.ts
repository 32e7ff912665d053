import { isDeepStrictEqual } from 'node:util';
import {
  type ApiObject,
  type ApplyRefusal,
  ApplyRefused,
  applyPatch,
  type Endpoint,
  revertTimes,
  trackUpdate,
} from '../../../../../src/api-server/values/apply/index.js';
import type { ManagedFieldsEntry } from '../../../../../src/kubernetes/apimachinery/index.js';
import type { Cluster } from '../../../../cluster/harness/index.js';
import { type JsonObject, mapIn, type Subject } from './subject.js';
import type { Write } from './writes.js';

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

type Ours = { readonly object: ApiObject } | { readonly refusal: ApplyRefusal };

/** Sends writes to a real server, does the same by ourselves, and compares. */
export class Differential {
  readonly #cluster: Cluster;
  readonly #subject: Subject;
  readonly #name: string;
  /** How many writes ended how. */
  readonly outcomes = new Map<string, number>();
  live: JsonObject | undefined;

  constructor(cluster: Cluster, subject: Subject, name: string) {
    this.#cluster = cluster;
    this.#subject = subject;
    this.#name = name;
  }

  async run(write: Write): Promise<void> {
    const answer = await this.#send(write);
    const outcome = answer.status < 300 ? 'success' : String(answer.status);
    const key = `${write.kind} ${outcome}`;
    this.outcomes.set(key, (this.outcomes.get(key) ?? 0) + 1);
    if (write.kind === 'apply') await this.#compareApply(write, answer);
    else if (answer.status < 300) await this.#compare(write, answer.body, this.#update(write, answer.body));
    if (answer.status < 300) this.live = { ...answer.body, apiVersion: this.#subject.apiVersions[0] };
  }

  async delete(): Promise<void> {
    await this.#cluster.must('DELETE', this.#path(this.#subject.apiVersions[0], ''));
    this.live = undefined;
  }

  #path(apiVersion: string, subresource: string): string {
    return `${this.#subject.collection(apiVersion)}/${this.#name}${subresource === '' ? '' : `/${subresource}`}`;
  }

  #send({ kind, apiVersion, subresource, manager, force, object, patch }: Write): Promise<Answer> {
    const path = this.#path(apiVersion, subresource);
    const query = { fieldManager: manager };
    switch (kind) {
      case 'create':
        return this.#cluster.request<JsonObject>('POST', this.#subject.collection(apiVersion), object, { query });
      case 'put':
        return this.#cluster.request<JsonObject>('PUT', path, object, { query });
      case 'merge patch':
        return this.#cluster.request<JsonObject>('PATCH', path, patch, { query, contentType: 'application/merge-patch+json' });
      case 'json patch':
        return this.#cluster.request<JsonObject>('PATCH', path, patch, { query, contentType: 'application/json-patch+json' });
      case 'apply':
        return this.#cluster.request<JsonObject>('PATCH', path, object, {
          query: { ...query, ...(force ? { force: 'true' } : {}) },
          contentType: 'application/apply-patch+yaml',
        });
    }
  }

  #liveAt(apiVersion: string): ApiObject {
    return this.live === undefined ? this.#subject.empty(apiVersion) : { ...this.live, apiVersion };
  }

  /** The server's clock, as its answer tells it: nothing is younger than what it has just written. */
  #clock(after: JsonObject | undefined): () => Date {
    // An apply that changed nothing leaves an entry without a time.
    const times = (after === undefined ? [] : entriesOf(after)).flatMap(({ time }) => (time === undefined ? [] : [Date.parse(time)]));
    return () => new Date(Math.max(0, ...times));
  }

  #apply({ apiVersion, subresource, manager, force, object }: Write, after: JsonObject | undefined): Ours {
    const { finish } = this.#subject;
    try {
      return applyPatch({
        endpoint: this.#endpoint(apiVersion, subresource),
        live: this.#liveAt(apiVersion),
        empty: this.#subject.empty(apiVersion),
        config: object,
        manager,
        force,
        ...(finish === undefined ? {} : { finish }),
        now: this.#clock(after),
      });
    } catch (error) {
      if (error instanceof ApplyRefused) return { refusal: error.refusal };
      throw error;
    }
  }

  #update({ apiVersion, subresource, manager, object }: Write, after: JsonObject): ApiObject {
    const { finish } = this.#subject;
    const sent = managedFieldsIn(object);
    // Of a Go type only the server knows how it stands after decoding and defaulting.
    const updated = finish === undefined ? withEntries(after, sent) : finish(object);
    const { object: tracked, problem } = trackUpdate({
      endpoint: this.#endpoint(apiVersion, subresource),
      live: this.#liveAt(apiVersion),
      updated,
      manager,
      now: this.#clock(after),
    });
    expect(problem).toBeUndefined();
    return tracked;
  }

  #endpoint(apiVersion: string, subresource: string): Endpoint {
    return this.#subject.endpoint(apiVersion, subresource);
  }

  async #compareApply(write: Write, { status, body }: Answer): Promise<void> {
    const ours = this.#apply(write, status < 300 ? body : undefined);
    // Judged after the merge, which is all that is ours.
    if (status === 422) return;
    if (status < 300) {
      expect(ours).not.toHaveProperty('refusal');
      if ('object' in ours) await this.#compare(write, body, ours.object);
      return;
    }
    expect(ours).toHaveProperty('refusal');
    if ('refusal' in ours) expect(comparableRefusal(ours.refusal)).toEqual(comparableStatus(body));
  }

  /** Managed fields to the letter, times included; the rest of the object without what the server itself sets. */
  async #compare(write: Write, after: JsonObject, ours: ApiObject): Promise<void> {
    const live = this.#liveAt(write.apiVersion);
    const stored = this.#subject.finish === undefined ? withEntries(after, managedFieldsIn(ours as JsonObject)) : this.#stored(write, ours);
    const reverted = this.live === undefined ? stored : revertTimes(live, stored);
    expect(managedFieldsIn(reverted as JsonObject) === undefined).toBe(managedFieldsIn(after) === undefined);
    expect(entriesOf(reverted as JsonObject)).toEqual(atOneTime(entriesOf(after), entriesOf(reverted as JsonObject)));
    if (this.#subject.finish !== undefined) expect(content(reverted)).toEqual(content(after));
    else if (write.kind === 'apply') expect(contentOfSpec(await this.#defaulted(ours))).toEqual(contentOfSpec(after));
  }

  /** What a write through one endpoint can change of an object. */
  #stored({ subresource, apiVersion }: Write, ours: ApiObject): ApiObject {
    const live = this.#liveAt(apiVersion);
    const { status: _, ...rest } = ours;
    if (this.#subject.subresources.length === 0) return ours;
    if (subresource === '') return { ...rest, ...(live['status'] === undefined ? {} : { status: live['status'] }) };
    const { status: __, ...old } = live;
    const stored = { ...old, ...(ours['status'] === undefined ? {} : { status: ours['status'] }) };
    return withEntries(stored as JsonObject, managedFieldsIn(ours as JsonObject));
  }

  /** Our result as the server would default and decode it. */
  async #defaulted(ours: ApiObject): Promise<JsonObject> {
    const probe = structuredClone(ours) as JsonObject;
    probe['metadata'] = { ...contentOfMetadata(probe), name: `${this.#name}-probe` };
    const path = this.#subject.collection(this.#subject.apiVersions[0]);
    return this.#cluster.must<JsonObject>('POST', path, probe, { query: { dryRun: 'All' } });
  }
}

function entriesOf(object: JsonObject): readonly ManagedFieldsEntry[] {
  return (managedFieldsIn(object) ?? []) as readonly ManagedFieldsEntry[];
}

/** A server looks at its clock for each entry that a write makes. Where a second passes between, an entry of ours, all of which have the time of the last, is a second younger. */
function atOneTime(theirs: readonly ManagedFieldsEntry[], ours: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  const secondsOf = ({ time = '' }: ManagedFieldsEntry): number => (Date.parse(time) || 0) / 1_000;
  const last = Math.max(...theirs.map(secondsOf));
  return theirs.map((entry) => {
    const own = ours.find((candidate) => isDeepStrictEqual({ ...candidate, time: entry.time }, entry));
    return own !== undefined && secondsOf(own) === last && secondsOf(entry) === last - 1 ? own : entry;
  });
}

function managedFieldsIn(object: JsonObject): unknown {
  return (object['metadata'] as JsonObject | undefined)?.['managedFields'];
}

function withEntries(object: JsonObject, entries: unknown): ApiObject {
  const { managedFields: _, ...metadata } = object['metadata'] as JsonObject;
  return { ...object, metadata: entries === undefined ? metadata : { ...metadata, managedFields: entries as JsonObject } };
}

const SET_BY_SERVER = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'name', 'namespace'];

function contentOfMetadata(object: JsonObject): JsonObject {
  const kept = Object.entries(mapIn(structuredClone(object), 'metadata')).filter(([name]) => !SET_BY_SERVER.includes(name));
  return Object.fromEntries(kept);
}

function content(object: ApiObject): JsonObject {
  return { ...(object as JsonObject), metadata: contentOfMetadata(object as JsonObject) };
}

function contentOfSpec(object: JsonObject): JsonObject {
  return { spec: object['spec'] ?? null, metadata: contentOfMetadata(object) };
}

interface Comparable {
  readonly message: string;
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly string[];
}

/** Conflicts of several managers come in no order: the server walks a Go map. The message orders them. */
function comparableRefusal({ message, status, reason: given, causes = [] }: ApplyRefusal): Comparable {
  const reason = given ?? '';
  return {
    message,
    code: status,
    reason,
    causes: causes.map((cause) => JSON.stringify([cause.reason, cause.field, cause.message])).sort(),
  };
}

function comparableStatus(body: JsonObject): Comparable {
  const {
    message,
    code,
    reason = '',
    details,
  } = body as unknown as {
    message: string;
    code: number;
    reason?: string;
    details?: { causes?: { reason: string; field: string; message: string }[] };
  };
  const causes = (details?.causes ?? []).map((cause) => JSON.stringify([cause.reason, cause.field, cause.message])).sort();
  return { message, code, reason, causes };
}
