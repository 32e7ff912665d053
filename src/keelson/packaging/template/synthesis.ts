import type { Json } from '@keelson/kubernetes/apimachinery';
import type { ValueModel, ValueTree } from '../values/index.js';

/** A fact that the installer knows, for example the namespace. */
export interface Fact {
  readonly name: string;
  /**
   * The fact where manifests are written without an installer.
   *
   * @param installedAs name of the installation, where it is not that of the package
   */
  readonly of: (values: ValueTree, installedAs?: string) => string;
}

/** Manifests by the path of their construct, or why the constructs make none of these values. */
export type Synthesized = { readonly objects: ReadonlyMap<string, Json> } | { readonly refusal: string };

export interface Inference {
  readonly values: ValueModel;
  readonly facts: readonly Fact[];
  readonly synthesize: (values: ValueTree, fact: (name: string) => string) => Synthesized;
}
