import { eventually } from '../../eventually.js';
import type { Life, Request } from './life.js';

/** An answer without what each server draws of its own. */
export interface Told {
  readonly request: string;
  readonly status: number;
  /** Lines of the body, in the order of their bytes but for what is masked. */
  readonly body: readonly string[];
}

export type Send = (request: Request) => Promise<{ readonly status: number; readonly text: string }>;

/** Sends the requests of a life one after the other. @throws if an answer that is waited for does not come */
export async function play({ title, requests }: Life, send: Send): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (const request of requests) {
    const { status, text } = await answered(request, send, title);
    told.push({ request: `${request.method} ${request.path}`, status, body: text.trim().split('\n').map(masked) });
  }
  return told;
}

async function answered(request: Request, send: Send, title: string): Promise<{ readonly status: number; readonly text: string }> {
  const { until } = request;
  let text = '';
  const awaited = async (): Promise<{ readonly status: number; readonly text: string } | undefined> => {
    const answer = await send(request);
    ({ text } = answer);
    return until === undefined || text.includes(until) ? answer : undefined;
  };
  return eventually(awaited, () => `${title}: ${request.path} holds ${until}: ${text}`);
}

const UUID = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g;

/** Without uids, revisions, times and tokens of pages. Members stay in their order. */
function masked(line: string): string {
  return inOneOrder(line)
    .replace(UUID, 'uuid')
    .replace(/"(uid|resourceVersion|continue)":"[^"]+"/g, '"$1":"…"')
    .replace(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"/g, '"time"');
}

/** Managers are in the order of their times, of which whole seconds count: two servers need not agree. */
function inOneOrder(line: string): string {
  if (!line.startsWith('{')) return line;
  const value: unknown = JSON.parse(line, (name, member: unknown) =>
    isManagers(name, member) ? [...member].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1)) : member,
  );
  return JSON.stringify(value);
}

const isManagers = (name: string, member: unknown): member is readonly object[] => name === 'managedFields' && Array.isArray(member);

/** What it manages, whenever it did. */
function textOf(entry: object): string {
  const { time: _, ...rest } = entry as { readonly time?: string };
  return JSON.stringify(rest);
}
