import { cpSync, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Container, Pod, Volume } from '@keelson/kubernetes/kinds';
import { expanded, type Mount, type PodWithAddress } from '../container/index.js';
import { ProcessesError } from '../errors.js';
import { publish } from './published-folder.js';
import { filesOf, type VolumeView } from './volume-files.js';

export interface PodVolumesParts {
  /** Folder of this Pod alone; removed with it. */
  readonly folder: string;
  /** Folder that all PersistentVolumes have in common. */
  readonly persistent: string;
  readonly view: VolumeView;
  /** Name of the PersistentVolume that a claim of this Pod is bound to. */
  volumeOf(claim: string): string | undefined;
}

/** The volumes of one Pod as folders of this machine. */
export class PodVolumes {
  readonly #parts: PodVolumesParts;

  constructor(parts: PodVolumesParts) {
    this.#parts = parts;
  }

  /** Writes what the API says of volumes that it has the content of. @returns whether files have changed */
  publish(of: PodWithAddress): boolean {
    let isChanged = false;
    for (const volume of of.pod.spec.volumes ?? []) {
      const files = filesOf(volume, of, this.#parts.view);
      if (files !== undefined) isChanged = publish(this.#folderOf(volume.name), files) || isChanged;
    }
    return isChanged;
  }

  /** The mounts of a container; folders that are missing are made. @throws ProcessesError for a kind of volume that a process cannot have */
  mountsOf(pod: Pod, container: Container, environment: Readonly<Record<string, string>>): readonly Mount[] {
    return (container.volumeMounts ?? []).map(({ name, mountPath, readOnly = false, subPath, subPathExpr }, index) => {
      const volume = pod.spec.volumes?.find((one) => one.name === name);
      if (volume === undefined) throw new ProcessesError(`volumeMounts: there is no volume ${JSON.stringify(name)}`);
      const root = this.#placeOf(pod, volume);
      const below = subPathExpr === undefined ? (subPath ?? '') : expanded(subPathExpr, environment);
      const path = below === '' ? root : join(root, below);
      // A file that is published is there already; any other path below a volume is a folder.
      if (!existsSync(path)) mkdirSync(path, { recursive: true });
      if (below === '' || !isPublished(volume)) return { volume: name, mountPath, path, readOnly };
      return { volume: name, mountPath, path: this.#asOfNow(path, join(container.name, `${index}`)), readOnly };
    });
  }

  remove(): void {
    rmSync(this.#parts.folder, { recursive: true, force: true });
  }

  /** A kubelet mounts what a path leads to when the container starts: the next version of its object is published beside it, and never seen there. */
  #asOfNow(path: string, name: string): string {
    const copy = join(this.#parts.folder, 'sub-paths', name);
    rmSync(copy, { recursive: true, force: true });
    cpSync(realpathSync(path), copy, { recursive: true });
    return copy;
  }

  #folderOf(name: string): string {
    return join(this.#parts.folder, 'volumes', name);
  }

  #placeOf(pod: Pod, volume: Volume): string {
    const { name, hostPath, persistentVolumeClaim, ephemeral, emptyDir, configMap, secret, downwardAPI, projected } = volume;
    if (hostPath !== undefined) return hostPath.path;
    const claim = persistentVolumeClaim?.claimName ?? (ephemeral && `${pod.metadata.name}-${name}`);
    if (claim !== undefined) {
      const bound = this.#parts.volumeOf(claim);
      if (bound === undefined) throw new ProcessesError(`volume ${JSON.stringify(name)}: the claim ${JSON.stringify(claim)} is not bound`);
      return join(this.#parts.persistent, bound);
    }
    if ((emptyDir ?? configMap ?? secret ?? downwardAPI ?? projected) !== undefined) return this.#folderOf(name);
    const kind = Object.keys(volume).find((field) => field !== 'name') ?? 'emptyDir';
    throw new ProcessesError(
      `volume ${JSON.stringify(name)}: a process cannot have a volume of kind ${kind}; emptyDir, persistentVolumeClaim, ephemeral, configMap, secret, projected, downwardAPI and hostPath are possible`,
    );
  }
}

/** Its files are those of objects of the API. */
function isPublished({ configMap, secret, downwardAPI, projected }: Volume): boolean {
  return (configMap ?? secret ?? downwardAPI ?? projected) !== undefined;
}
