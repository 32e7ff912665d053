import type { ConfigMap, PersistentVolumeClaim, Pod, Secret, Service, ServiceAccount, TokenRequest } from '@keelson/kubernetes/kinds';
import type { ControllerSurroundings } from '../../controllers/index.js';
import { nodeWriter } from '../nodes/index.js';
import { CLAIMS, CONFIG_MAPS, ObjectClient, SECRETS, SERVICE_ACCOUNTS, SERVICES } from '../objects/index.js';

/** The objects around a Pod, read and written as the kubelet of its node. */
export class PodObjects {
  readonly #client: ObjectClient;
  readonly #namespace: string;

  constructor(surroundings: ControllerSurroundings, { metadata, spec }: Pod) {
    this.#client = new ObjectClient(surroundings, nodeWriter(spec.nodeName ?? ''));
    this.#namespace = metadata.namespace ?? '';
  }

  configMap(name: string): ConfigMap | undefined {
    return this.#client.get<ConfigMap>(CONFIG_MAPS, this.#namespace, name);
  }

  secret(name: string): Secret | undefined {
    return this.#client.get<Secret>(SECRETS, this.#namespace, name);
  }

  service(namespace: string, name: string): Service | undefined {
    return this.#client.get<Service>(SERVICES, namespace, name);
  }

  services(): readonly Service[] {
    return this.#client.list<Service>(SERVICES, this.#namespace);
  }

  /** Name of the PersistentVolume that a claim is bound to. */
  volumeOf(claim: string): string | undefined {
    const { spec, status } = this.#client.get<PersistentVolumeClaim>(CLAIMS, this.#namespace, claim) ?? {};
    return status?.phase === 'Bound' ? spec?.volumeName : undefined;
  }

  /** A token of the Pod's ServiceAccount that dies with the Pod. */
  async issueToken(
    { metadata, spec }: Pod,
    { audience, expirationSeconds }: { readonly audience?: string | undefined; readonly expirationSeconds?: number | undefined },
  ): Promise<string> {
    const name = spec.serviceAccountName ?? 'default';
    const account = this.#client.get<ServiceAccount>(SERVICE_ACCOUNTS, this.#namespace, name);
    if (account === undefined) throw new RangeError(`ServiceAccount ${this.#namespace}/${name} of Pod ${metadata.name} is gone`);
    const { uid = '' } = metadata;
    const body = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: {
        audiences: audience === undefined ? [] : [audience],
        expirationSeconds: expirationSeconds ?? 3600,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: metadata.name, uid },
      },
    };
    const answer = await this.#client.post<TokenRequest>(SERVICE_ACCOUNTS, account as never, { subresource: 'token', body });
    return answer.status?.token ?? '';
  }
}
