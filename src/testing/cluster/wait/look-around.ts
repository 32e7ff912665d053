import { type KindInfo, type KubernetesObject, messageOf } from '@keelson/kubernetes/apimachinery';
import type { ApiClient } from '@keelson/runtime/internal/client';

/** The message must come, even of a server that hangs. */
const LOOK_AROUND_MS = 2_000;
const MAX_LINE = 200;

interface EventObject extends KubernetesObject {
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
}

const EVENT: KindInfo = { group: '', version: 'v1', kind: 'Event', plural: 'events', scope: 'Namespaced', subresources: [] };

/** Asks for more than the wait has seen. Its own failure is part of the text: it only rounds the message off, and the failure of the wait is not lost. */
export async function lookAround(look: (signal: AbortSignal) => Promise<string>): Promise<string> {
  try {
    return await look(AbortSignal.timeout(LOOK_AROUND_MS));
  } catch (error) {
    return `(More is not known: ${messageOf(error)})`;
  }
}

/** Events of a namespace, to be asked by object. */
export class EventsOf {
  readonly #events: readonly EventObject[];

  private constructor(events: readonly EventObject[]) {
    this.#events = events;
  }

  static async namespace(client: ApiClient, namespace: string, signal: AbortSignal): Promise<EventsOf> {
    const { items } = await client.list(EVENT, { namespace, signal });
    return new EventsOf(items as readonly EventObject[]);
  }

  /** A line for each of the last events about an object. @param type only events of this type. Default all */
  about(kind: string, name: string, { most, type }: { readonly most: number; readonly type?: string }): readonly string[] {
    return this.#events
      .filter(
        (event) => event.involvedObject?.kind === kind && event.involvedObject.name === name && (type === undefined || event.type === type),
      )
      .slice(-most)
      .map(({ type, reason, message, count = 1 }) => `${type} ${reason}${count > 1 ? ` (${count} times)` : ''}: ${message}`);
  }
}

/** A line that does not fill the screen. */
export function shortened(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
