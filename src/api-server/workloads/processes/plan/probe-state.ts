/** Numbers of a probe, with the API server's defaults. */
export interface ProbeSettings {
  readonly initialDelaySeconds?: number | undefined;
  readonly periodSeconds?: number | undefined;
  readonly successThreshold?: number | undefined;
  readonly failureThreshold?: number | undefined;
}

export interface ProbeState {
  /** `undefined`: not yet known. */
  readonly result: boolean | undefined;
  /** Answers of the same kind in a row. */
  readonly count: number;
  readonly last: boolean | undefined;
}

export const UNPROBED: ProbeState = { result: undefined, count: 0, last: undefined };

/** A probe's state after another answer. A result changes when its threshold is reached. Source: `doProbe` in kubernetes `pkg/kubelet/prober/worker.go`. */
export function afterProbe(state: ProbeState, isSuccess: boolean, settings: ProbeSettings): ProbeState {
  const { successThreshold = 1, failureThreshold = 3 } = settings;
  const count = state.last === isSuccess ? state.count + 1 : 1;
  const isReached = count >= (isSuccess ? successThreshold : failureThreshold);
  return { result: isReached ? isSuccess : state.result, count, last: isSuccess };
}
