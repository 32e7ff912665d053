/** What goes wrong. A `member` is a number: of so many members that serve, in order of their names, the one with this number modulo how many there are. */
export type Disturbance =
  /** The process ends; the kubelet starts it anew. */
  | { readonly do: 'kill the process of'; readonly member: number }
  /** The process stands still, with its connections open. */
  | { readonly do: 'stop the process of'; readonly member: number; readonly forMs: number }
  /** The Pod and its data are lost with its node. */
  | { readonly do: 'lose the Pod of'; readonly member: number }
  | { readonly do: 'delete the Pod of'; readonly member: number }
  /** Whatever it does has no effect from one moment to the next, and nobody learns of what it did last. */
  | { readonly do: 'kill the operator'; readonly awayMs: number }
  /** The API server answers nobody but the kubelets, and all watches break. */
  | { readonly do: 'take away the API server'; readonly forMs: number }
  /** As after a restart: every connection breaks, and watches cannot be resumed. */
  | { readonly do: 'restart the API server' };

export interface Round {
  /** The size of the cluster changes right before, and nobody waits for it. */
  readonly size?: 3 | 5;
  /** The second one comes while the first is at work. */
  readonly disturbances: readonly Disturbance[];
}

/** Those of members cost a vote for some time, and there is one at most in a round. */
const OF_A_MEMBER = [
  (random: Random): Disturbance => ({ do: 'kill the process of', member: whole(random, 5) }),
  (random: Random): Disturbance => ({ do: 'stop the process of', member: whole(random, 5), forMs: 500 + whole(random, 9_000) }),
  (random: Random): Disturbance => ({ do: 'lose the Pod of', member: whole(random, 5) }),
  (random: Random): Disturbance => ({ do: 'delete the Pod of', member: whole(random, 5) }),
];
const OF_THE_CONTROL_PLANE = [
  (random: Random): Disturbance => ({ do: 'kill the operator', awayMs: whole(random, 5_000) }),
  (random: Random): Disturbance => ({ do: 'take away the API server', forMs: 500 + whole(random, 6_000) }),
  (): Disturbance => ({ do: 'restart the API server' }),
];

type Random = () => number;

const whole = (random: Random, below: number): number => Math.floor(random() * below);
const oneOf = <T>(random: Random, all: readonly T[]): T => all[whole(random, all.length)] as T;

/** Draws a round: a disturbance of a member, of the control plane, or both, in half of the rounds amid a change of the size. */
export function drawRound(random: Random, size: number): Round {
  const change: Pick<Round, 'size'> = random() < 0.5 ? { size: size === 3 ? 5 : 3 } : {};
  const sort = random();
  const member = oneOf(random, OF_A_MEMBER)(random);
  const plane = oneOf(random, OF_THE_CONTROL_PLANE)(random);
  if (sort < 0.35) return { ...change, disturbances: [member] };
  return { ...change, disturbances: sort < 0.6 ? [plane] : [plane, member] };
}

/** As a line of a report. */
export function textOf({ size, disturbances }: Round): string {
  const texts = disturbances.map(({ do: what, ...rest }) => {
    const details = Object.entries(rest).map(([name, value]) => (name === 'member' ? ` member ${value}` : ` (${name} ${value})`));
    return `${what}${details.join('')}`;
  });
  return [...(size === undefined ? [] : [`change the size to ${size}`]), ...texts].join(', and ');
}
