import { type ApiClient, createClient } from '../../../src/runtime/client/index.js';
import { connectionOf } from '../../../src/runtime/http/index.js';
import { FakeClock } from '../clock/fake-clock.js';
import { type Answer, ScriptedServer } from '../http/scripted-server.js';

/** A client and the server that answers it by script. */
export interface ScriptedClient {
  readonly server: ScriptedServer;
  readonly client: ApiClient;
  readonly clock: FakeClock;
  stop(): Promise<void>;
}

export async function scriptedClient(...answers: Answer[]): Promise<ScriptedClient> {
  const server = await ScriptedServer.start();
  const clock = new FakeClock();
  server.script(...answers);
  const client = createClient({ connection: connectionOf({ server: server.url, clock }), clock, random: () => 0.5, fieldManager: 'me' });
  const stop = (): Promise<void> => {
    client.close();
    return server.stop();
  };
  return { server, client, clock, stop };
}

export interface SentRequest {
  /** For example `GET /api/v1/namespaces/n/configmaps`. */
  readonly line: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed; `undefined` if there is none. */
  readonly body: unknown;
  readonly type: string | undefined;
  readonly accept: string | undefined;
}

/** The newest request that the server got. */
export function lastRequest({ server }: ScriptedClient): SentRequest {
  const { method = '', url = '', body = '', headers } = server.requests.at(-1) ?? {};
  const { pathname, searchParams } = new URL(url, 'http://a');
  return {
    line: `${method} ${pathname}`,
    query: Object.fromEntries(searchParams),
    body: body === '' ? undefined : JSON.parse(body),
    type: headers?.['content-type'],
    accept: headers?.accept,
  };
}

export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`it did not fail: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
