/** A request, and what it was answered. */
interface Written {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}
interface Answered {
  readonly status: number;
  readonly text: string;
}

/** A request that is answered from the watch cache, and whether its answer shows what is awaited. */
export interface CacheLook {
  readonly path: string;
  isThere(answer: Answered): boolean;
}

/** Up to the name of an object: /api/v1/namespaces/a/pods/b, /apis/apps/v1/namespaces/a/deployments/b, /api/v1/nodes/b. */
const OBJECT = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+(?=\/[^/]+\/))?\/[^/]+\/[^/]+/;
const DRY_RUN = /dryRun\W+All/;
const TOO_NEW = 504;

/** How to see that the watch cache has what a request has written; nothing where it has written nothing, or not one object. */
export function looksAtCache({ method, path: full, body }: Written, answer: Answered): CacheLook | undefined {
  const [path = '', query = ''] = full.split('?');
  if (method === 'GET' || answer.status >= 300 || DRY_RUN.test(query + JSON.stringify(body ?? ''))) return undefined;
  const { metadata, details } = objectIn(answer);
  const object = OBJECT.exec(method === 'POST' && metadata?.name !== undefined ? `${path}/${metadata.name}` : path)?.[0];
  if (object === undefined) return undefined;
  if (method !== 'DELETE') {
    if (metadata?.resourceVersion === undefined) return undefined;
    return { path: `${object}?resourceVersion=${metadata.resourceVersion}`, isThere: ({ status }) => status !== TOO_NEW };
  }
  if (object !== path) return undefined;
  // Nobody says at which revision an object has gone. Another one may be in its place.
  const uid = details?.uid ?? metadata?.uid;
  return { path: `${object}?resourceVersion=0`, isThere: (found) => isGone(found, uid) };
}

function isGone(answer: Answered, uid: string | undefined): boolean {
  const { metadata } = objectIn(answer);
  return answer.status !== 200 || metadata?.deletionTimestamp !== undefined || metadata?.uid !== uid;
}

interface Shown {
  readonly metadata?: {
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
  };
  /** Of a Status. */
  readonly details?: { readonly uid?: string };
}

/** Nothing of an answer in another form than JSON. */
function objectIn({ text }: Answered): Shown {
  try {
    return (JSON.parse(text) ?? {}) as Shown;
  } catch {
    return {};
  }
}
