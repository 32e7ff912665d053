import { equalJson, type KindInfo, type LabelRequirements, labelRequirementsOf, matchesLabels } from '@keelson/kubernetes/apimachinery';
import { Namespace } from '@keelson/kubernetes/kinds';
import { followsNamespaces, type SelectingLabels, type SelectorsModel } from 'keelson/internal/definition';
import type { Cache, CacheChange, IndexFunction, Informer, StoredObject } from '../cache/index.js';

/** Which namespaces an object selects in. */
type Place =
  | { readonly type: 'all' }
  | { readonly type: 'own'; readonly namespace: string }
  | { readonly type: 'selected'; readonly requirements: LabelRequirements };

/** The selectors of one object, parsed; `labels` is `undefined` if nothing is selected. */
interface Selection {
  readonly labels: LabelRequirements | undefined;
  readonly place: Place;
}

/** Objects that select nothing have no place. */
const NOTHING: Selection = { labels: undefined, place: { type: 'all' } };

export interface SelectionsOptions {
  /** Name of the watch. */
  readonly handle: string;
  readonly model: SelectorsModel;
  readonly watched: KindInfo;
}

/**
 * Reconciled objects by what they select through one watch.
 *
 * Each is indexed under one requirement of its selector, the anchor: a label with its values if there is one, else a label that must exist, else none. A changed
 * object looks up its own labels; what is found is then matched in full. Thus a change costs as many look-ups as the object has labels.
 */
export class Selections {
  /** Indexes that the reconciled objects must have; their names are unique to the watch. */
  readonly indexes: Readonly<Record<string, IndexFunction>>;
  readonly handle: string;
  readonly followsNamespaces: boolean;
  readonly #options: SelectionsOptions;
  readonly #byLabels: string;
  readonly #byNamespaces: string;
  readonly #parsed = new WeakMap<StoredObject, Selection>();

  constructor(options: SelectionsOptions) {
    const { handle, model, watched } = options;
    this.#options = options;
    this.handle = handle;
    this.followsNamespaces = followsNamespaces(model, watched);
    this.#byLabels = `selecting-by-${handle}`;
    this.#byNamespaces = `selecting-namespaces-by-${handle}`;
    this.indexes = {
      [this.#byLabels]: (object) => this.#labelValues(object),
      ...(this.followsNamespaces ? { [this.#byNamespaces]: (object) => this.#namespaceValues(object) } : {}),
    };
  }

  /** Objects of `primary` that select this one. A namespace that is not known (yet) counts as selected: a run too many is harmless. */
  of(object: StoredObject, primary: Informer, namespaces: Informer | undefined): StoredObject[] {
    const { namespace = '', labels } = object.metadata;
    const places = new Set([`${namespace}/`, '/']);
    const values = [...places].flatMap((place) => lookUps(labels).map((value) => place + value));
    return found(primary, this.#byLabels, values).filter((selecting) => {
      const selection = this.#of(selecting);
      return selection.labels !== undefined && matchesLabels(selection.labels, labels) && isIn(selection.place, namespace, namespaces);
    });
  }

  /** Objects of `primary` that select an object of `watched` because of this change of its namespace, or no longer do; each with one such object. */
  changedBy(
    { type, object, previous }: CacheChange,
    primary: Informer,
    watched: Informer,
  ): readonly { readonly selecting: StoredObject; readonly selected: StoredObject }[] {
    const now = type === 'deleted' ? undefined : (object.metadata.labels ?? {});
    const before =
      type === 'deleted' ? (object.metadata.labels ?? {}) : previous === undefined ? undefined : (previous.metadata.labels ?? {});
    if (now !== undefined && before !== undefined && equalJson(now, before)) return [];
    const values = [...new Set([...lookUps(now), ...lookUps(before)])];
    const candidates = found(primary, this.#byNamespaces, values);
    if (candidates.length === 0) return [];
    const inside = watched.list({ namespace: object.metadata.name });
    return candidates.flatMap((selecting) => {
      const { labels, place } = this.#of(selecting);
      if (labels === undefined || place.type !== 'selected') return [];
      const matches = (of: Readonly<Record<string, string>> | undefined): boolean =>
        of !== undefined && matchesLabels(place.requirements, of);
      if (matches(now) === matches(before)) return [];
      const selected = inside.find(({ metadata }) => matchesLabels(labels, metadata.labels));
      return selected === undefined ? [] : [{ selecting, selected }];
    });
  }

  #labelValues(object: StoredObject): readonly string[] {
    const { labels, place } = this.#of(object);
    if (labels === undefined) return [];
    const prefix = place.type === 'own' ? `${place.namespace}/` : '/';
    return anchor(labels).map((value) => prefix + value);
  }

  #namespaceValues(object: StoredObject): readonly string[] {
    const { place } = this.#of(object);
    return place.type === 'selected' ? anchor(place.requirements) : [];
  }

  /** @throws TypeError for a selector that the API server would refuse: the index reports it, and the object selects nothing */
  #of(object: StoredObject): Selection {
    const known = this.#parsed.get(object);
    if (known !== undefined) return known;
    const selection = this.#parse(object);
    this.#parsed.set(object, selection);
    return selection;
  }

  #parse(object: StoredObject): Selection {
    const { handle, model, watched } = this.#options;
    const { labels, namespaces } = model.selectors(object as never);
    if (labels === undefined || labels === null) return NOTHING;
    const read = (selector: SelectingLabels, name: string): LabelRequirements => {
      const parsed = labelRequirementsOf(selector);
      if ('problem' in parsed) throw new TypeError(`watches.${handle}: ${name} of toSelectors: ${parsed.problem}`);
      return parsed.requirements;
    };
    const own = object.metadata.namespace;
    const place = (): Place => {
      if (watched.scope === 'Cluster') return { type: 'all' };
      if (namespaces === undefined || namespaces === null || model.ownNamespace)
        return own === undefined ? { type: 'all' } : { type: 'own', namespace: own };
      return { type: 'selected', requirements: read(namespaces, 'namespaces') };
    };
    return { labels: read(labels, 'labels'), place: place() };
  }
}

/** Watches the namespaces, where a watch of the controller follows their labels. */
export function namespacesFor(selections: readonly Selections[], cache: Pick<Cache, 'informer'>): Informer | undefined {
  return selections.some((selection) => selection.followsNamespaces)
    ? cache.informer({ kind: Namespace as KindInfo, metadataOnly: true })
    : undefined;
}

function isIn(place: Place, namespace: string, namespaces: Informer | undefined): boolean {
  if (place.type === 'all') return true;
  if (place.type === 'own') return place.namespace === namespace;
  const known = namespaces?.hasSynced === true ? namespaces.get({ name: namespace }) : undefined;
  return known === undefined || matchesLabels(place.requirements, known.metadata.labels);
}

/** Values of the index under which an object with this selector stands. No label key is `*`. */
function anchor(requirements: LabelRequirements): readonly string[] {
  const equality = requirements.find(({ operator }) => operator === 'in' || operator === '=' || operator === '==');
  if (equality !== undefined) return equality.values.map((value) => `${equality.key}=${value}`);
  const existence = requirements.find(({ operator }) => operator === 'exists');
  return [existence === undefined ? '*' : existence.key];
}

/** Values of the index under which selectors stand that may match these labels. */
function lookUps(labels: Readonly<Record<string, string>> | undefined = {}): readonly string[] {
  return ['*', ...Object.entries(labels).flatMap(([key, value]) => [key, `${key}=${value}`])];
}

function found(informer: Informer, index: string, values: readonly string[]): StoredObject[] {
  return [...new Set(values.flatMap((value) => informer.list({ index: { [index]: value } })))];
}
