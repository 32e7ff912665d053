import type { Pod } from '@keelson/kubernetes/kinds';
import type { SubresourceConnection } from '../../../contract/index.js';
import { badRequest } from '../../../status/index.js';
import type { AttachedStream } from '../attached-run.js';
import type { ContainerRun } from '../container-run.js';
import type { ExecSource } from './pod-exec.js';
import { remoteConnection, wantedStreams } from './remote-connection.js';
import type { RemoteStreams, Send, WantedStreams } from './remote-streams.js';
import { SUCCESS } from './statuses.js';

/** Most bytes that wait for a client that is attached and does not read: the container does not wait for it. */
const MOST_WAITING = 4 * 1024 * 1024;

/**
 * The output of a container from now on, and its input, as `kubectl attach` asks for them. The connection ends with the run of the container.
 *
 * Whether there is a terminal is up to the container (`tty`): a client that asks for one of a container without is attached all the same, and its sizes are left out.
 *
 * Source: `Kubelet.GetAttach` in kubernetes `pkg/kubelet/kubelet_pods.go`, `validateAttachRequest` in `k8s.io/kubelet/pkg/cri/streaming/server.go`.
 * @throws StatusError 400 for a container that does not run or has no program, a request without streams, input where the container declares none, and errors of a
 *   container with a terminal
 */
export function podAttach(
  pod: Pod,
  { query, container }: { readonly query: URLSearchParams; readonly container: string },
  source: ExecSource,
): SubresourceConnection {
  const wanted = wantedStreams(query);
  const run = source.runningOf(pod, container);
  const of = `container "${container}" in pod "${pod.metadata.name}"`;
  if (run === undefined) throw badRequest(`${of} does not run`);
  if (run.isSimulated) throw badRequest(`${of} is simulated: no program runs in it`);
  if (wanted.hasInput && !run.hasInput) throw badRequest(`${of} has no input: declare stdin: true in its spec`);
  if (wanted.hasErrors && run.hasTerminal)
    throw badRequest(`tty and stderr cannot both be true: ${of} has a terminal (tty: true), ask for it with --stdin --tty (-it)`);
  return remoteConnection(wanted, (streams) => serve(streams, { run, wanted }));
}

async function serve(
  streams: RemoteStreams,
  { run, wanted }: { readonly run: ContainerRun; readonly wanted: WantedStreams },
): Promise<void> {
  const attached = run.attach();
  const over = new Promise<void>((resolve) => {
    streams.onClose(resolve);
    follow(attached.stdout, streams.stdout, resolve);
    follow(attached.stderr, streams.stderr, resolve);
  });
  streams.take({ stdin: wanted.hasInput ? attached.stdin : undefined, onSize: attached.resize });
  await Promise.race([over, attached.ended]);
  attached.release();
  await streams.finish(SUCCESS);
}

function follow(stream: AttachedStream, send: Send | undefined, giveUp: () => void): void {
  if (send === undefined) return;
  let waiting = 0;
  stream.onData((chunk) => {
    waiting += chunk.length;
    if (waiting > MOST_WAITING) giveUp();
    else
      void send(chunk).then(() => {
        waiting -= chunk.length;
      });
  });
}
