import type { ApiClient } from '@keelson/runtime/internal/client';

const WRITES: ReadonlySet<string | symbol> = new Set(['create', 'update', 'patch', 'apply', 'delete']);
const WITHIN: ReadonlySet<string | symbol> = new Set(['status', 'subresource', 'with']);

/** Callbacks of the client of a process that may die. */
export interface Mortality {
  /** The process has been killed: nothing leaves it any more. */
  readonly isDead: () => boolean;
  /** Something has begun or ended. */
  readonly stirred: () => void;
}

/** A client whose process may be killed between a write and its answer: the write is done, and the process does not hear of it. */
export function mortalClient(client: ApiClient, mortality: Mortality): ApiClient {
  return wrapped(client, mortality) as ApiClient;
}

function wrapped(target: object, mortality: Mortality): object {
  return new Proxy(target, {
    get(of, name) {
      const member: unknown = Reflect.get(of, name, of);
      if (typeof member !== 'function') return member;
      const method = member.bind(of) as (...given: unknown[]) => unknown;
      if (WITHIN.has(name)) return (...given: unknown[]) => wrapped(method(...given) as object, mortality);
      return WRITES.has(name)
        ? (...given: unknown[]) => write(() => method(...given), mortality)
        : (...given: unknown[]) => method(...given);
    },
  });
}

async function write(call: () => unknown, { isDead, stirred }: Mortality): Promise<unknown> {
  const alive = (): void => {
    if (isDead()) throw new Error('the process is dead');
  };
  alive();
  stirred();
  try {
    const answer = await call();
    alive();
    return answer;
  } finally {
    stirred();
  }
}
