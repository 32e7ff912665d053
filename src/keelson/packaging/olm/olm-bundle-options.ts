import type { DefaultsOf } from '../values/index.js';

/** A set of namespaces that an OperatorGroup may give to an operator. */
export type InstallMode = 'AllNamespaces' | 'MultiNamespace' | 'OwnNamespace' | 'SingleNamespace';

/** A field of a kind as consoles show it. */
export interface Descriptor {
  /** Path below `spec` or `status`: `size`, `storage.class`. */
  readonly path: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
  /** Widgets, for example `urn:alm:descriptor:com.tectonic.ui:podCount`. */
  readonly 'x-descriptors'?: readonly string[] | undefined;
}

/** How consoles present a kind. */
export interface KindPresentation {
  /** @default - the kind, its words set apart */
  readonly displayName?: string | undefined;
  /** @default - the description of the schema */
  readonly description?: string | undefined;
  /** Kinds of objects that belong to one of it. @default - those that the operator's controllers own */
  readonly resources?: readonly { readonly kind: string; readonly version: string; readonly name?: string | undefined }[] | undefined;
  /** @default - the fields of `spec`, with widgets by their types */
  readonly specDescriptors?: readonly Descriptor[] | undefined;
  /** @default - the fields of `status`, with widgets by their types */
  readonly statusDescriptors?: readonly Descriptor[] | undefined;
}

/** A kind of another operator that this one needs. */
export interface RequiredKind {
  /** Name of the CustomResourceDefinition, `<plural>.<group>`. */
  readonly name: string;
  readonly version: string;
  readonly kind: string;
  readonly displayName?: string | undefined;
  readonly description?: string | undefined;
}

/** Older bundles that this one takes over from. */
export interface UpgradeEdges {
  /** Name of the bundle before this one, `<operator>.v<version>`. @default - none: the first of its channel */
  readonly replaces?: string | undefined;
  /** Names of bundles between that one and this, which are not installed on the way. @default - none */
  readonly skips?: readonly string[] | undefined;
  /** Versions that are upgraded to this one at once: `>=1.0.0 <1.4.0`. @default - none */
  readonly skipRange?: string | undefined;
}

export interface OlmBundleOptions<TValues = never> extends UpgradeEdges {
  /** Name of the operator for people. */
  readonly displayName: string;
  /** Several sentences in Markdown: what it is for, what it needs, how to begin. @default - the description of the package */
  readonly description?: string | undefined;
  readonly provider: { readonly name: string; readonly url?: string | undefined };
  /** @default - `maintainers` of the package that have an address */
  readonly maintainers?: readonly { readonly name: string; readonly email: string }[] | undefined;
  /** The picture, as base64. @default - none; catalogs show a placeholder */
  readonly icon?:
    | { readonly base64data: string; readonly mediatype: 'image/svg+xml' | 'image/png' | 'image/jpeg' | 'image/gif' }
    | undefined;
  /** Channels of the catalog that the bundle is in; the first is the default one. @default `['stable']` */
  readonly channels?: readonly [string, ...string[]] | undefined;
  /** Oldest Kubernetes that it runs on: `1.30.0`. */
  readonly minKubeVersion: string;
  /** Sets of namespaces that an OperatorGroup may give to the operator. @default `['AllNamespaces']` - the only one that OLM v1 installs without more settings */
  readonly installModes?: readonly [InstallMode, ...InstallMode[]] | undefined;
  /** An object of each kind, as a console's form begins with. @default - none */
  readonly samples?: readonly object[] | undefined;
  /** By name of the CustomResourceDefinition, `<plural>.<group>`. @default - derived from the schemas */
  readonly kinds?: Readonly<Record<string, KindPresentation>> | undefined;
  /** @default - none */
  readonly requires?: readonly RequiredKind[] | undefined;
  /** How much of an operator's work it does. @default 'Basic Install' */
  readonly capabilities?: 'Basic Install' | 'Seamless Upgrades' | 'Full Lifecycle' | 'Deep Insights' | 'Auto Pilot' | undefined;
  /** Categories of OperatorHub, for example `Database`. */
  readonly categories: readonly [string, ...string[]];
  /** @default 'alpha' */
  readonly maturity?: 'planning' | 'pre-alpha' | 'alpha' | 'beta' | 'stable' | 'mature' | 'inactive' | 'deprecated' | undefined;
  /** Images beside the operator's own, which clusters without internet mirror. @default - none */
  readonly relatedImages?: readonly { readonly name: string; readonly image: string }[] | undefined;
  /** @default - `home` and `sources` of the package */
  readonly links?: readonly { readonly name: string; readonly url: string }[] | undefined;
  /** More annotations of the ClusterServiceVersion, for example `createdAt`. @default - none */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Values of the package that differ from its defaults. OLM has none: an administrator of a bundle sets nothing. @default - none */
  readonly values?: DefaultsOf<TValues> | undefined;
  /** Image of the tests that `operator-sdk scorecard` runs. @default - those of operator-sdk 1.42 */
  readonly scorecardImage?: string | undefined;
}
