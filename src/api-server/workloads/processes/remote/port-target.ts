/** The Pod whose ports are connected to. */
export interface PortTarget {
  readonly address: string;
  /** `<name>_<namespace>`, as the kubelet names it. */
  readonly name: string;
  readonly uid: string;
}

/** Source: kubelet `pkg/cri/streaming/portforward`. */
export function portFailure(port: number, { name, uid }: PortTarget, reason: string): string {
  return `error forwarding port ${port} to pod ${name}, uid ${uid}: ${reason}`;
}
