import { type Judgement, LocalApi } from '@keelson/api-server/internal/server';
import { groupVersionOf, type KubernetesObject } from '@keelson/kubernetes/apimachinery';
import type { FoundManifest, ManifestReading, UnreadManifest } from '../manifests/index.js';
import type { JudgedObject } from './report.js';

export interface JudgeInput {
  /** The objects to judge; CRDs among them count as {@link definitions}. */
  readonly objects: ManifestReading;
  readonly definitions: ManifestReading;
  /** The objects as they are now. */
  readonly old: ManifestReading;
  readonly ignoresMissingDefinitions: boolean;
}

/** The largest request that etcd takes by default. Source: etcd, `server/embed/config.go` (DefaultMaxRequestBytes). */
const MOST_BYTES = 1.5 * 1024 * 1024;

/** Judges all objects, in the order in which they were found. Definitions come first. */
export async function judgeAll(input: JudgeInput, onProgress: (done: number) => void = () => undefined): Promise<readonly JudgedObject[]> {
  const judge = new Judge(input.ignoresMissingDefinitions);
  try {
    return await judge.all(input, onProgress);
  } finally {
    await judge.close();
  }
}

const isDefinition = ({ object }: FoundManifest): boolean =>
  object.kind === 'CustomResourceDefinition' && groupVersionOf(object.apiVersion).group === 'apiextensions.k8s.io';

class Judge {
  readonly #api = new LocalApi();
  readonly #ignoresMissing: boolean;
  /** `group kind` of definitions that are not valid, and where they are. */
  readonly #broken = new Map<string, string>();

  constructor(ignoresMissing: boolean) {
    this.#ignoresMissing = ignoresMissing;
  }

  async all({ objects, definitions, old }: JudgeInput, onProgress: (done: number) => void): Promise<readonly JudgedObject[]> {
    const judged: JudgedObject[] = [...definitions.unread, ...old.unread, ...objects.unread].map(unreadObject);
    for (const manifest of definitions.found) judged.push(...(await this.#given(manifest)));
    const [own, others] = [objects.found.filter(isDefinition), objects.found.filter((manifest) => !isDefinition(manifest))];
    for (const manifest of own) judged.push(await this.#definition(manifest, 'Strict'));
    for (const manifest of old.found) judged.push(...this.#kept(manifest));
    for (const [index, manifest] of others.entries()) {
      if (index % PROGRESS_STEP === 0) onProgress(index);
      judged.push(await this.#object(manifest));
    }
    return judged;
  }

  close(): Promise<void> {
    return this.#api.close();
  }

  /** Reports a definition of `--crds` only if it has a problem. Its unknown fields are of a newer Kubernetes than ours, or were dropped when it was installed. */
  async #given(manifest: FoundManifest): Promise<readonly JudgedObject[]> {
    // Charts and folders of manifests bring other objects with their CRDs.
    if (!isDefinition(manifest)) return [];
    const judged = await this.#definition(manifest, 'Warn');
    return judged.verdict === 'valid' && judged.warnings.length === 0 ? [] : [judged];
  }

  async #definition(manifest: FoundManifest, fieldValidation: 'Strict' | 'Warn'): Promise<JudgedObject> {
    const judged = judgedObject(manifest, await this.#api.define(manifest, fieldValidation));
    const described = describedKind(manifest.object);
    // The same definition from two files is one: the second is refused, and changes nothing.
    if (judged.verdict !== 'valid' && described !== undefined && this.#api.resourceOf(described) === undefined)
      this.#broken.set(kindKey(described), manifest.place);
    return judged;
  }

  /** An old object of a kind without a CRD is not needed unless a new one is. */
  #kept(manifest: FoundManifest): readonly JudgedObject[] {
    const { object } = manifest;
    if (this.#api.resourceOf(object)?.isCustom !== true) return [];
    if ((object.metadata.name ?? '') === '') return [{ ...unjudged(manifest, 'an old object needs a name: metadata.name is absent') }];
    this.#api.keep(object);
    return [];
  }

  async #object(manifest: FoundManifest): Promise<JudgedObject> {
    const { object } = manifest;
    const broken = this.#broken.get(kindKey(object));
    const { kind, apiVersion } = object;
    if (broken !== undefined) return unjudged(manifest, `the CustomResourceDefinition of ${kind} (${broken}) is not valid`);
    if (this.#api.resourceOf(object)?.isCustom !== true) {
      const message = `no CustomResourceDefinition describes ${kind} of ${apiVersion}; name it with --crds`;
      return this.#ignoresMissing ? { ...unjudged(manifest, message), verdict: 'ignored' } : unjudged(manifest, message);
    }
    const { operation, ...judgement } = await this.#api.judge(manifest);
    return { ...judgedObject(manifest, judgement), operation };
  }
}

const PROGRESS_STEP = 100;

const kindKey = ({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): string =>
  `${groupVersionOf(apiVersion).group} ${kind}`;

/** The kind that a definition describes, at no version. */
function describedKind(definition: KubernetesObject): KubernetesObject | undefined {
  const { spec } = definition as { readonly spec?: { readonly group?: unknown; readonly names?: { readonly kind?: unknown } } };
  const [group, kind] = [spec?.group, spec?.names?.kind];
  return typeof group === 'string' && typeof kind === 'string' ? { apiVersion: `${group}/v0`, kind, metadata: {} } : undefined;
}

const unreadObject = ({ place, problem }: UnreadManifest): JudgedObject => ({
  place,
  verdict: 'unjudged',
  message: problem,
  fields: [],
  warnings: [],
});

function identityOf({ place, object: { apiVersion, kind, metadata } }: FoundManifest): Pick<JudgedObject, 'object' | 'place'> {
  const { namespace, name = `${metadata.generateName ?? ''}…` } = metadata;
  return { place, object: { apiVersion, kind, ...(namespace === undefined ? {} : { namespace }), name } };
}

const unjudged = (manifest: FoundManifest, message: string): JudgedObject => ({
  ...identityOf(manifest),
  verdict: 'unjudged',
  message,
  fields: [],
  warnings: [],
});

function judgedObject(manifest: FoundManifest, judgement: Judgement): JudgedObject {
  const { warnings } = judgement;
  const identity = identityOf(manifest);
  if (judgement.ok) {
    const bytes = Buffer.byteLength(JSON.stringify(judgement.object));
    if (bytes <= MOST_BYTES) return { ...identity, verdict: 'valid', fields: [], warnings };
    const message = `etcdserver: request is too large: the object has ${bytes} bytes, and etcd takes ${MOST_BYTES} by default`;
    return { ...identity, verdict: 'invalid', message, fields: [], warnings };
  }
  const { message = '', code = 0, details } = judgement.status;
  const fields = (details?.causes ?? []).map(({ field = '', message: text = '' }) => ({ field, message: text }));
  return { ...identity, verdict: code >= SERVER_ERROR ? 'unjudged' : 'invalid', message, fields, warnings };
}

/** From here on the server failed, and did not refuse: a conversion by webhook cannot be asked for. */
const SERVER_ERROR = 500;
