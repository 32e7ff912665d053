import { type KindInfo, type KubernetesObject, messageOf } from '@keelson/kubernetes/apimachinery';
import type { Manifest, OperatorInstallation } from '@keelson/testing/internal/cluster';

/** The settings of the operator's process that follow from how its parts were installed. */
export interface Installed {
  /** Whether the API server calls the webhooks of the process. */
  readonly servesWebhooks: boolean;
  readonly certificates: OperatorInstallation['certificates'];
  /** The Lease of the election; `undefined`: nothing else can run this operator there. */
  readonly leaseName: string | undefined;
  /** Lines for the user about the installation. */
  readonly notes: readonly string[];
}

/** A manifest that the server refuses, with the reason. */
export interface RefusedManifest {
  readonly manifest: Manifest;
  readonly why: string;
}

/** The disturbances of a server of our own. */
export interface Disturbances {
  /** Whether requests of the operator fail now and then. */
  readonly isDisturbed: boolean;
  /** Whether the operator's watches are held back. */
  readonly isStale: boolean;
  /** Lets requests of the operator fail now and then, or no more. @returns whether they do */
  disturb(): boolean;
  /** Holds back what the operator's watches would hear, so that its caches grow old, or lets all of it go. @returns whether it is held back */
  makeStale(): boolean;
}

/** The time of a server of our own. */
export interface MovableTime {
  /** How far it is ahead of the machine's. */
  readonly offsetMs: number;
  forward(ms: number): void;
}

/** The API server that the operator of `keelson dev` works against: it outlives the operator's processes, with all objects. */
export interface DevCluster {
  readonly url: string;
  /** Changes when objects may have changed. */
  readonly revision: number;
  /** `undefined` for a server that is not ours to disturb. */
  readonly disturbances: Disturbances | undefined;
  /** `undefined` for a server whose time is not ours to move. */
  readonly time: MovableTime | undefined;
  /** The operator's kubeconfig, for its ServiceAccount as `namespace/name`. */
  kubeconfig(serviceAccount: string): Promise<string>;
  /**
   * Brings the parts of an operator to what its newest process asks for.
   *
   * @param webhookPort where the process listens on this machine
   * @throws ApiError where the server refuses a part
   */
  install(installation: OperatorInstallation, webhookPort: number): Promise<Installed>;
  /** Applies manifests. @returns those that cannot be applied now */
  applyManifests(manifests: readonly Manifest[]): Promise<readonly RefusedManifest[]>;
  /** All objects of the kinds that are served, in the order of the kinds. */
  objectsOf(kinds: readonly KindInfo[]): Promise<readonly KubernetesObject[]>;
  close(): Promise<void>;
}

/** How a cluster takes manifests. */
export interface ManifestTaker {
  apply(object: KubernetesObject): Promise<unknown>;
  /** Waits until a definition is served. @param name its name */
  established(name: string): Promise<unknown>;
}

/** Applies manifests one after the other, and waits for what definitions define. @returns those that cannot be applied now */
export async function takeManifests(manifests: readonly Manifest[], taker: ManifestTaker): Promise<readonly RefusedManifest[]> {
  const refused: RefusedManifest[] = [];
  for (const manifest of manifests) {
    const { kind, metadata } = manifest.object;
    try {
      await taker.apply(manifest.object);
      if (kind === 'CustomResourceDefinition') await taker.established(metadata.name ?? '');
    } catch (error) {
      refused.push({ manifest, why: messageOf(error) });
    }
  }
  return refused;
}
