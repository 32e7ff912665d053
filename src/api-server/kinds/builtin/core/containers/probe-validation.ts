import type { Container, HTTPGetAction, Lifecycle, PodOS, Probe } from '../../../../../kinds/index.js';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../../../kubernetes/index.js';
import {
  type Errors,
  headerNameProblems,
  invalidEach,
  nonNegative,
  portNumber,
  portNumberOrName,
  requiredText,
} from '../../checks/index.js';

/** Probes and hooks of containers. Source: kubernetes 1.34 `pkg/apis/core/validation` (`validateProbe`, `validateHandler`, `validateLifecycle`). */
type Handler = NonNullable<Lifecycle['preStop']> & Pick<Probe, 'grpc'>;

export function probeErrors(container: Container, path: string, gracePeriod: number | undefined): Errors {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...once(livenessProbe, `${path}.livenessProbe`, gracePeriod),
    ...readinessErrors(readinessProbe, `${path}.readinessProbe`, gracePeriod),
    ...once(startupProbe, `${path}.startupProbe`, gracePeriod),
  ];
}

/** A probe whose first success decides. */
function once(probe: Probe | undefined, path: string, gracePeriod: number | undefined): Errors {
  if (probe === undefined) return [];
  const errors = oneProbe(probe, path, gracePeriod);
  return probe.successThreshold === 1 ? errors : [...errors, invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1')];
}

function readinessErrors(probe: Probe | undefined, path: string, gracePeriod: number | undefined): Errors {
  if (probe === undefined) return [];
  const { terminationGracePeriodSeconds: period } = probe;
  const field = `${path}.terminationGracePeriodSeconds`;
  return [
    ...oneProbe(probe, path, gracePeriod),
    ...(period === undefined ? [] : [invalid(field, period, 'must not be set for readinessProbes')]),
  ];
}

function oneProbe(probe: Probe, path: string, gracePeriod: number | undefined): Errors {
  const { exec, httpGet, tcpSocket, grpc, terminationGracePeriodSeconds: period } = probe;
  return [
    ...handlerErrors({ exec, httpGet, tcpSocket, grpc }, path, gracePeriod),
    ...nonNegative(probe.initialDelaySeconds, `${path}.initialDelaySeconds`),
    ...nonNegative(probe.timeoutSeconds, `${path}.timeoutSeconds`),
    ...nonNegative(probe.periodSeconds, `${path}.periodSeconds`),
    ...nonNegative(probe.successThreshold, `${path}.successThreshold`),
    ...nonNegative(probe.failureThreshold, `${path}.failureThreshold`),
    ...(period !== undefined && period <= 0 ? [invalid(`${path}.terminationGracePeriodSeconds`, period, 'must be greater than 0')] : []),
  ];
}

/** One kind of action, no more; only the first that is there is looked at. */
function handlerErrors(handler: Handler, path: string, gracePeriod: number | undefined): Errors {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  const actions: [string, (() => Errors) | undefined][] = [
    ['exec', exec && (() => ((exec.command ?? []).length === 0 ? [required(`${path}.exec.command`)] : []))],
    ['httpGet', httpGet && (() => httpGetErrors(httpGet, `${path}.httpGet`))],
    ['tcpSocket', tcpSocket && (() => portNumberOrName(tcpSocket.port, `${path}.tcpSocket.port`))],
    ['grpc', grpc && (() => portNumber(grpc.port, `${path}.grpc.port`))],
    ['sleep', sleep && (() => sleepErrors(sleep.seconds, `${path}.sleep`, gracePeriod))],
  ];
  const present = actions.filter(([, check]) => check !== undefined);
  if (present.length === 0) return [required(path, 'must specify a handler type')];
  return present.flatMap(
    ([name, check], index): Errors =>
      index === 0 && check !== undefined ? check() : [forbidden(`${path}.${name}`, 'may not specify more than 1 handler type')],
  );
}

function httpGetErrors({ path: url, port, scheme, httpHeaders = [] }: HTTPGetAction, path: string): Errors {
  return [
    ...requiredText(url, `${path}.path`),
    ...portNumberOrName(port, `${path}.port`),
    ...(scheme === 'HTTP' || scheme === 'HTTPS' ? [] : [notSupported(`${path}.scheme`, scheme ?? '', ['HTTP', 'HTTPS'])]),
    ...httpHeaders.flatMap(({ name }) => invalidEach(`${path}.httpHeaders`, name, headerNameProblems(name))),
  ];
}

function sleepErrors(seconds: number, path: string, gracePeriod: number | undefined): Errors {
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  return [invalid(path, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`)];
}

export function lifecycleErrors(
  lifecycle: Lifecycle | undefined,
  path: string,
  { gracePeriod, os }: { gracePeriod: number | undefined; os: PodOS | undefined },
): Errors {
  const errors: FieldError[] = [];
  if (lifecycle?.postStart !== undefined) errors.push(...handlerErrors(lifecycle.postStart, `${path}.postStart`, gracePeriod));
  if (lifecycle?.preStop !== undefined) errors.push(...handlerErrors(lifecycle.preStop, `${path}.preStop`, gracePeriod));
  if (lifecycle?.stopSignal !== undefined && os === undefined) {
    errors.push(forbidden(`${path}.stopSignal`, 'may not be set for containers with empty `spec.os.name`'));
  }
  return errors;
}
