import { forbidden, invalid, required } from '@keelson/kubernetes/apimachinery';
import {
  absent,
  all,
  atLeast,
  type Errors,
  eachAt,
  headerNameProblems,
  needed,
  nonNegative,
  oneOf,
  portNumber,
  portNumberOrName,
  type Rule,
  refuse,
  shape,
  texts,
} from '../../checks/index.js';
import type { Container, HTTPGetAction, Lifecycle, PodOS, Probe } from '../../drafts.js';

/** Probes and hooks of containers. Source: kubernetes `pkg/apis/core/validation` (`validateProbe`, `validateHandler`, `validateLifecycle`). */
type Handler = NonNullable<Lifecycle['preStop']> & Pick<Probe, 'grpc'>;

export function probeErrors(
  { livenessProbe, readinessProbe, startupProbe }: Container,
  path: string,
  gracePeriod: number | undefined,
): Errors {
  const probe = all(handler<Probe>(gracePeriod), probeTimes);
  /** Its first success decides. */
  const once = all(probe, refuseMany);
  return [
    ...once(livenessProbe, `${path}.livenessProbe`),
    ...all(probe, shape<Probe>({ terminationGracePeriodSeconds: refuse(() => true, 'must not be set for readinessProbes') }))(
      readinessProbe,
      `${path}.readinessProbe`,
    ),
    ...once(startupProbe, `${path}.startupProbe`),
  ];
}

const probeTimes = shape<Probe>({
  initialDelaySeconds: nonNegative,
  timeoutSeconds: nonNegative,
  periodSeconds: nonNegative,
  successThreshold: nonNegative,
  failureThreshold: nonNegative,
  terminationGracePeriodSeconds: atLeast(1, 'must be greater than 0'),
});

const refuseMany: Rule<Probe> = (probe, path) =>
  probe === undefined || probe.successThreshold === 1
    ? []
    : [invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1')];

const httpGet = shape<HTTPGetAction>({
  path: needed(),
  port: portNumberOrName,
  scheme: (scheme = '' as never, path) => oneOf(['HTTP', 'HTTPS'])(scheme, path),
  // The server does not name the header.
  httpHeaders: eachAt((header, path) => texts(headerNameProblems)(header?.name, path)),
});

/** One kind of action, no more; only the first that is there is looked at. */
function handler<T extends Handler>(gracePeriod: number | undefined): Rule<T> {
  const longest = gracePeriod ?? Number.POSITIVE_INFINITY;
  const sleepText = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  const actions: { readonly [K in keyof Handler]-?: Rule<NonNullable<Handler[K]>> } = {
    exec: shape<NonNullable<Handler['exec']>>({ command: needed() }),
    httpGet,
    tcpSocket: shape<NonNullable<Handler['tcpSocket']>>({ port: portNumberOrName }),
    grpc: shape<NonNullable<Handler['grpc']>>({ port: portNumber }),
    sleep: (sleep, path) =>
      gracePeriod === undefined ? [] : refuse<number>((seconds) => seconds < 0 || seconds > longest, sleepText)(sleep?.seconds, path),
  };
  return (value, path) => {
    if (value === undefined) return [];
    const present = (Object.keys(actions) as (keyof Handler)[]).filter((name) => value[name] !== undefined);
    if (present.length === 0) return [required(path, 'must specify a handler type')];
    return present.flatMap((name, index) =>
      index === 0
        ? (actions[name] as Rule<unknown>)(value[name], `${path}.${name}`)
        : [forbidden(`${path}.${name}`, 'may not specify more than 1 handler type')],
    );
  };
}

export function lifecycleErrors(
  lifecycle: Lifecycle | undefined,
  path: string,
  { gracePeriod, os }: { gracePeriod: number | undefined; os: PodOS | undefined },
): Errors {
  const hook = handler<Handler>(gracePeriod);
  const stopSignal = os === undefined ? absent<string>('may not be set for containers with empty `spec.os.name`') : undefined;
  return shape<Lifecycle>({ postStart: hook, preStop: hook, ...(stopSignal && { stopSignal }) })(lifecycle, path);
}
