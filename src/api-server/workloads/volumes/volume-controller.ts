import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '@keelson/kubernetes/kinds';
import { type Controller, type ControllerSurroundings, isConflict, keyedController } from '../../controllers/index.js';
import { CLAIMS, isResource, isSame, keyOf, ObjectClient, PODS, partsOf, STORAGE_CLASSES, timeText, VOLUMES } from '../objects/index.js';
import { claimNamesOf, isTerminal } from '../pods/index.js';
import { bindingOf, boundClaim, boundVolume } from './plan-binding.js';

const CLAIM_PROTECTION = 'kubernetes.io/pvc-protection';
const VOLUME_PROTECTION = 'kubernetes.io/pv-protection';
/** Before the name of a volume, which is in no namespace. */
const VOLUME_KEY = 'volume:';

/** Gives claims their volumes, and lets claims and volumes go when no Pod uses them any more. */
export function volumeController(surroundings: ControllerSurroundings): Controller {
  const volumes = new Volumes(surroundings);
  return keyedController(
    {
      name: 'persistentvolume-binder',
      wants: (resource) => [CLAIMS, VOLUMES, PODS, STORAGE_CLASSES].some((wanted) => isResource(resource, wanted)),
      onEvent({ object, resource, type }, queue) {
        const seen = object as unknown as Pod;
        if (isResource(resource, CLAIMS)) {
          queue.add(keyOf(seen));
          const { volumeName } = (object as unknown as PersistentVolumeClaim).spec ?? {};
          if (type === 'DELETED' && volumeName !== undefined) queue.add(`${VOLUME_KEY}/${volumeName}`);
        } else if (isResource(resource, PODS)) {
          for (const name of claimNamesOf(seen)) queue.add(`${seen.metadata.namespace}/${name}`);
        } else {
          if (isResource(resource, VOLUMES)) queue.add(`${VOLUME_KEY}/${seen.metadata.name}`);
          for (const key of volumes.waitingClaims()) queue.add(key);
        }
      },
      handle: (key) => (key.startsWith(`${VOLUME_KEY}/`) ? volumes.syncVolume(partsOf(key).name) : volumes.syncClaim(key)),
    },
    surroundings,
  );
}

class Volumes {
  readonly #client: ObjectClient;
  readonly #now: () => Date;

  constructor(surroundings: ControllerSurroundings) {
    this.#client = new ObjectClient(surroundings, 'persistent-volume-binder');
    this.#now = () => surroundings.clock.now();
  }

  waitingClaims(): readonly string[] {
    return this.#client
      .list<PersistentVolumeClaim>(CLAIMS)
      .filter(({ status }) => status?.phase !== 'Bound')
      .map(keyOf);
  }

  async syncClaim(key: string): Promise<void> {
    const { namespace, name } = partsOf(key);
    const claim = this.#client.get<PersistentVolumeClaim>(CLAIMS, namespace, name);
    if (claim === undefined) return;
    if (claim.metadata.deletionTimestamp !== undefined) return this.#release(claim);
    if (claim.status?.phase === 'Bound') return this.#keepBound(claim);
    const className = claim.spec?.storageClassName ?? '';
    const binding = bindingOf({
      claim,
      volumes: this.#client.list<PersistentVolume>(VOLUMES),
      storageClass: className === '' ? undefined : this.#client.get<StorageClass>(STORAGE_CLASSES, '', className),
      isUsed: this.#users(claim).length > 0,
    });
    if (binding.do !== 'wait') await this.#bind(claim, await this.#volumeOf(binding, claim));
  }

  async #volumeOf(
    binding: { readonly do: 'bind' | 'provision'; readonly volume: PersistentVolume },
    claim: PersistentVolumeClaim,
  ): Promise<PersistentVolume> {
    if (binding.do === 'provision') {
      try {
        return await this.#client.create<PersistentVolume>(VOLUMES, '', binding.volume);
      } catch (error) {
        // Made before, when what came next failed.
        const found = this.#client.get<PersistentVolume>(VOLUMES, '', binding.volume.metadata.name);
        if (!isConflict(error) || found === undefined) throw error;
        return found;
      }
    }
    const bound = boundVolume(binding.volume, claim);
    return bound === binding.volume ? bound : this.#client.update<PersistentVolume>(VOLUMES, bound);
  }

  async #bind(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    await this.#tellPhase(volume, 'Bound');
    const written = await this.#client.update<PersistentVolumeClaim>(CLAIMS, boundClaim(claim, volume));
    const { accessModes, capacity } = volume.spec;
    await this.#client.updateStatus<PersistentVolumeClaim>(CLAIMS, { ...written, status: { phase: 'Bound', accessModes, capacity } });
  }

  /** A volume that is gone leaves its claim lost; a claim that grew gets its room at once. */
  async #keepBound(claim: PersistentVolumeClaim): Promise<void> {
    const volume = this.#client.get<PersistentVolume>(VOLUMES, '', claim.spec?.volumeName ?? '');
    if (volume === undefined) {
      await this.#client.updateStatus<PersistentVolumeClaim>(CLAIMS, { ...claim, status: { phase: 'Lost' } });
      return;
    }
    const wanted = claim.spec?.resources?.requests?.['storage'];
    const known = claim.status?.capacity?.['storage'];
    if (wanted === undefined || wanted === known || !this.#mayGrow(claim)) return;
    const capacity = { ...claim.status?.capacity, storage: wanted };
    if (!isSame(volume.spec.capacity, capacity))
      await this.#client.update<PersistentVolume>(VOLUMES, { ...volume, spec: { ...volume.spec, capacity } });
    await this.#client.updateStatus<PersistentVolumeClaim>(CLAIMS, { ...claim, status: { ...claim.status, capacity } });
  }

  #mayGrow({ spec }: PersistentVolumeClaim): boolean {
    const { storageClassName = '' } = spec ?? {};
    return this.#client.get<StorageClass>(STORAGE_CLASSES, '', storageClassName)?.allowVolumeExpansion === true;
  }

  #users({ metadata: { namespace, name } }: PersistentVolumeClaim): readonly Pod[] {
    return this.#client.list<Pod>(PODS, namespace).filter((pod) => !isTerminal(pod) && claimNamesOf(pod).includes(name));
  }

  async #release(claim: PersistentVolumeClaim): Promise<void> {
    const { finalizers = [] } = claim.metadata;
    if (!finalizers.includes(CLAIM_PROTECTION) || this.#users(claim).length > 0) return;
    await this.#client.patch(CLAIMS, claim, { metadata: { finalizers: finalizers.filter((one) => one !== CLAIM_PROTECTION) } });
  }

  async syncVolume(name: string): Promise<void> {
    const volume = this.#client.get<PersistentVolume>(VOLUMES, '', name);
    if (volume === undefined) return;
    const { claimRef, persistentVolumeReclaimPolicy: policy = 'Retain' } = volume.spec;
    const claim = claimRef && this.#client.get<PersistentVolumeClaim>(CLAIMS, claimRef.namespace ?? '', claimRef.name ?? '');
    const isClaimed = claim !== undefined && (claimRef?.uid === undefined || claim.metadata.uid === claimRef.uid);
    const { finalizers = [], deletionTimestamp } = volume.metadata;
    if (deletionTimestamp !== undefined) {
      if (isClaimed || !finalizers.includes(VOLUME_PROTECTION)) return;
      await this.#client.patch(VOLUMES, volume, { metadata: { finalizers: finalizers.filter((one) => one !== VOLUME_PROTECTION) } });
    } else if (claimRef?.uid === undefined) await this.#tellPhase(volume, 'Available');
    else if (!isClaimed) await this.#reclaim(volume, policy);
  }

  async #reclaim(volume: PersistentVolume, policy: string): Promise<void> {
    await this.#tellPhase(volume, 'Released');
    if (policy === 'Delete') await this.#client.remove(VOLUMES, volume);
  }

  async #tellPhase(volume: PersistentVolume, phase: 'Available' | 'Bound' | 'Released'): Promise<void> {
    if (volume.status?.phase === phase) return;
    const lastPhaseTransitionTime = timeText(this.#now());
    await this.#client.updateStatus<PersistentVolume>(VOLUMES, { ...volume, status: { ...volume.status, phase, lastPhaseTransitionTime } });
  }
}
