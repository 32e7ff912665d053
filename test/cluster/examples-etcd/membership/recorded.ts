import type { CallOptions, EtcdApi, EtcdMember, EtcdMembers, EtcdTarget } from '../../../../examples/etcd/client/api.js';
import { isEtcdError } from '../../../../examples/etcd/client/errors.js';
import { CHANGES, type Change, type Entry, type ListedMember } from './journal.js';

const isChange = (name: string): name is Change => (CHANGES as readonly string[]).includes(name);

/** A client of etcd, for the process `by`, of which `note` is told what it does with the membership: before each call, which waits for it, and after it. */
export function recorded(by: string, etcd: EtcdApi, note: (entry: Entry) => void | Promise<void>): EtcdApi {
  let calls = 0;
  const next = (target: EtcdTarget) => {
    calls += 1;
    return { by, cluster: clusterOf(target), call: calls };
  };
  const members = async (target: EtcdTarget, options?: CallOptions): Promise<EtcdMembers> => {
    const call = next(target);
    await note({ ...call, what: 'looks' });
    const answer = await etcd.members(target, options);
    await note({ ...call, what: 'sees', members: answer.members.map(listed) });
    return answer;
  };
  const changing = (change: Change) => async (target: EtcdTarget, whom: string | readonly string[], options: never) => {
    const call = next(target);
    await note({ ...call, what: 'begins', change, whom: typeof whom === 'string' ? whom : (whom[0] ?? '') });
    try {
      const answer = await etcd[change](target, whom as never, options);
      await note({ ...call, what: 'ends', outcome: 'done' });
      return answer;
    } catch (error) {
      await note({ ...call, what: 'ends', outcome: isEtcdError(error) && !error.mayHaveHappened ? 'refused' : 'unknown' });
      throw error;
    }
  };
  return new Proxy(etcd, {
    get(of, name: string & keyof EtcdApi) {
      if (name === 'members') return members;
      return isChange(name) ? changing(name) : of[name].bind(of);
    },
  });
}

export function listed({ id, name, peerUrls, isLearner }: EtcdMember): ListedMember {
  return { id, peerUrl: peerUrls[0] ?? '', isStarted: name !== undefined, isLearner };
}

/** Behind the name of the Pod. */
function clusterOf({ endpoints: [endpoint = ''] }: EtcdTarget): string {
  return URL.canParse(endpoint) ? new URL(endpoint).hostname.split('.').slice(1).join('.') : endpoint;
}
