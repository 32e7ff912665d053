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

export async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`it did not fail: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
