import type { ContainerOfPod } from '@keelson/testing';
import type { EtcdApi, EtcdMember, EtcdMembers, EtcdTarget } from './api.js';

/**
 * Host names of members for programs of this machine, where no DNS answers: etcd and the gateway get addresses, and the operator the names that it has given.
 */
export class LocalNames {
  #local: ((text: string) => string) | undefined;
  readonly #hosts = new Map<string, string>();

  /** The arguments of a container of etcd. */
  argsOf({ args, local, pod, address }: ContainerOfPod): string[] {
    this.#local ??= local;
    const { hostname = '', subdomain = '' } = pod.spec;
    this.#hosts.set(address, `${hostname}.${subdomain}.${pod.metadata.namespace}.svc`);
    for (const text of args) this.toAddress(text);
    return args.map(local);
  }

  toAddress(text: string): string {
    const local = this.#local;
    if (local === undefined) return text;
    for (const [, host = ''] of text.matchAll(/:\/\/([^:/,]+):/g)) if (!/^[\d.]+$/.test(host)) this.#hosts.set(local(host), host);
    return local(text);
  }

  toName(text: string): string {
    return text.replace(/:\/\/([\d.]+):/g, (all, address: string) =>
      `://${this.#hosts.get(address) ?? address}:`.replace('undefined', all),
    );
  }

  /** The client of the operator. */
  between(etcd: EtcdApi): EtcdApi {
    return betweenNames(etcd, { toAddress: (text) => this.toAddress(text), toName: (text) => this.toName(text) });
  }
}

/** Host names in texts, as programs of this machine know them and as the operator does. */
export interface Names {
  toAddress(text: string): string | Promise<string>;
  toName(text: string): string | Promise<string>;
}

/** A client whose user has names, for members that have addresses. */
export function betweenNames(etcd: EtcdApi, names: Names): EtcdApi {
  const addresses = (texts: readonly string[]) => Promise.all(texts.map(async (text) => names.toAddress(text)));
  const to = async (target: EtcdTarget): Promise<EtcdTarget> => ({ ...target, endpoints: await addresses(target.endpoints) });
  const named = async (member: EtcdMember): Promise<EtcdMember> => ({
    ...member,
    peerUrls: await Promise.all(member.peerUrls.map(async (url) => names.toName(url))),
  });
  const from = async <T extends EtcdMembers>(answer: T): Promise<T> => ({
    ...answer,
    members: await Promise.all(answer.members.map(named)),
  });
  return {
    ...etcd,
    status: async (target, options) => etcd.status(await to(target), options),
    members: async (target, options) => from(await etcd.members(await to(target), options)),
    addLearner: async (target, urls, options) => from(await etcd.addLearner(await to(target), await addresses(urls), options)),
    addMember: async (target, urls, options) => from(await etcd.addMember(await to(target), await addresses(urls), options)),
    promoteMember: async (target, id, options) => from(await etcd.promoteMember(await to(target), id, options)),
    removeMember: async (target, id, options) => from(await etcd.removeMember(await to(target), id, options)),
    moveLeader: async (target, id, options) => etcd.moveLeader(await to(target), id, options),
  };
}
