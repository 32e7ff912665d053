import type { MatchedRequest } from './match.js';

/** One thing that went wrong by order. */
export interface FaultRecord {
  /** For example `fail 409`, `drop the watch`, `delay 500 ms`. */
  readonly fault: string;
  /** Time of the server. */
  readonly time: Date;
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  /** For a watch's event: the object's. */
  readonly name: string;
}

/** The struck request; for an event, the object that it is about. */
export interface Struck extends MatchedRequest {
  readonly object?: { readonly namespace: string; readonly name: string } | undefined;
}

export class FaultLog {
  readonly #records: FaultRecord[] = [];
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  get records(): readonly FaultRecord[] {
    return [...this.#records];
  }

  add(fault: string, { info, user, object }: Struck): void {
    const { verb, group, resource, subresource, namespace, name } = info;
    this.#records.push({
      fault,
      time: this.#now(),
      user: user.username,
      verb,
      group,
      resource,
      subresource,
      namespace: object?.namespace ?? namespace,
      name: object?.name ?? name,
    });
  }
}
