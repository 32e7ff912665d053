import { subscribe } from 'node:diagnostics_channel';
import { pathToFileURL } from 'node:url';
import { type KindInfo, messageOf } from '@keelson/kubernetes/apimachinery';
// Not by the doors of the folders, which load the runtime: the operator's own module loads it, from the project's packages.
import { REVIEW_CHANNEL } from '@keelson/runtime/internal/admission/review-channel';
import { WATCH_CHANNEL } from '@keelson/runtime/internal/cache/watch-channel';
import { OPERATOR_CHANNEL, type OperatorMessage } from '@keelson/runtime/internal/host/operator-channel';
import { RUN_CHANNEL } from '@keelson/runtime/internal/journal';
// Not by the door of the folder, which loads an API server.
import { operatorInstallation } from '@keelson/testing/internal/operator-installation';
import type { OperatorModel } from 'keelson/internal/definition';
import { DevError } from '../errors.js';
import { operatorIn } from '../operator-in-module.js';
import type { Announcement, Go, Order } from './messages.js';
import { MovingClock } from './moving-clock.js';
import { loadPackages } from './project-packages.js';

/** Titles of the process, for `ps`: a spare waits for the next start. */
const TITLE = { spare: 'keelson dev-spare', operator: 'keelson dev-operator' };

/**
 * The operator's side of `keelson dev`, in a process of its own: loads packages, waits until it is needed, announces what has to be installed, waits until it is, and runs the operator.
 *
 * Ends with its parent: the session would not install or restart it any more.
 *
 * @throws DevError for a module that exports no operator, or several
 */
export async function runOperatorProcess([operatorPath = '', runPath = '']: readonly string[]): Promise<void> {
  process.title = TITLE.spare;
  const parent = new Parent();
  void loadPackages(operatorPath);
  await parent.load;
  process.title = TITLE.operator;
  const operator = await loaded(operatorPath);
  const { environment, offsetMs, hasPage } = await parent.announce({
    installation: operatorInstallation(operator),
    kinds: operator.customResources.map(({ group, storageVersion: version, kind, plural, scope }) => ({
      group,
      version,
      kind,
      plural,
      scope,
      subresources: [],
    })),
    owned: operator.controllers.flatMap(({ owns }) => Object.values(owns).map(({ kind }) => plainKind(kind))),
    reconciled: operator.controllers.map((controller) => plainKind(controller.for)),
  });
  Object.assign(process.env, environment);
  subscribe(RUN_CHANNEL, (run) => parent.tell({ run }));
  if (hasPage) {
    subscribe(WATCH_CHANNEL, (heard) => parent.tell({ heard }));
    subscribe(REVIEW_CHANNEL, (review) => parent.tell({ review }));
  }
  const orders = new Orders(new MovingClock(offsetMs, { keepsAlive: true }));
  subscribe(OPERATOR_CHANNEL, (message) => orders.heard(message as OperatorMessage));
  process.on('message', (order) => orders.obey(order as Order));
  if (runPath !== '') {
    await import(pathToFileURL(runPath).href);
    return;
  }
  const { run } = await import('@keelson/runtime');
  await run(operator as never);
}

/** The facts about a kind alone: messages between processes are JSON. */
const plainKind = ({ group, version, kind, plural, scope }: KindInfo): KindInfo => ({
  group,
  version,
  kind,
  plural,
  scope,
  subresources: [],
});

/** Loads the sources of the project. Without an operator the process ends: the channel alone must not keep it. */
async function loaded(path: string): Promise<OperatorModel> {
  try {
    return operatorIn((await import(pathToFileURL(path).href)) as object, path, DevError);
  } catch (error) {
    process.channel?.unref();
    throw error;
  }
}

/** Does with the running operator what the parent asks for. */
class Orders {
  readonly #clock: MovingClock;
  #operator: Extract<OperatorMessage, { readonly phase: 'started' }>['operator'] | undefined;
  #hasOwnClock = false;

  constructor(clock: MovingClock) {
    this.#clock = clock;
  }

  heard(message: OperatorMessage): void {
    if (message.phase === 'started') this.#operator = message.operator;
    else this.#hasOwnClock = !message.useClock(this.#clock);
  }

  obey(order: Order): void {
    if ('forwardMs' in order) {
      if (this.#hasOwnClock) process.emitWarning('the operator was started with a clock of its own: time forward does not move it');
      this.#clock.forward(order.forwardMs);
    } else {
      for (const { group, kind, object } of order.runAgain) this.#operator?.enqueue({ ...ANY_KIND, group, kind }, object);
    }
  }
}

/** A controller is found by group and kind alone. */
const ANY_KIND: KindInfo = { group: '', version: '', kind: '', plural: '', scope: 'Namespaced', subresources: [] };

const messageFrom = (sender: NodeJS.Process): Promise<unknown> => new Promise((resolve) => sender.once('message', resolve));

class Parent {
  /** The sources of the project are wanted. */
  readonly load: Promise<void>;

  constructor() {
    if (process.send === undefined) throw new DevError('keelson dev starts this command itself; run keelson dev');
    this.load = messageFrom(process).then(() => undefined);
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  }

  /** A parent that has gone ends this process anyway. */
  tell(message: object): void {
    if (process.connected) process.send?.(message, () => undefined);
  }

  async announce(announcement: Announcement): Promise<Go> {
    const answer = messageFrom(process);
    process.send?.(announcement, (error: unknown) => {
      if (error !== null && error !== undefined) process.emitWarning(`the operator could not be announced: ${messageOf(error)}`);
    });
    const go = (await answer) as Go;
    // The channel alone must not keep an operator alive that has ended.
    process.channel?.unref();
    return go;
  }
}
