import { masked } from '../../../registry/differential/exchange.js';
import type { Told } from './story-server.js';

export interface MaskedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
}

/** The answer with the same text for what differs from server to server: uids, versions, times, addresses that the server chose. */
export function maskedAnswer({ status, body, warnings }: Told): MaskedAnswer {
  return { status, body: withoutChoices(masked(body)), warnings: [...new Set(warnings)].sort() };
}

/** An answer in which the order of the causes does not count: Go walks its maps in any order. The message lists them in the same order, and is left out. */
export function inAnyOrder(answer: MaskedAnswer): unknown {
  const { details, message, ...rest } = answer.body as { details?: { causes?: readonly unknown[] }; message?: string };
  if (details?.causes === undefined || details.causes.length < 2) return answer;
  const causes = details.causes.map((cause) => JSON.stringify(cause)).sort();
  return { ...answer, body: { ...rest, details: { ...details, causes } } };
}

/** Addresses and ports of Services that the server chose itself: those are never in the part of the range that is kept for who asks. */
const CHOSEN_ADDRESS = /\b10\.0\.0\.(?:1[7-9]|[2-9][0-9]|[12][0-9]{2})\b/g;
const CHOSEN_PORT = 30_086;

function withoutChoices(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CHOSEN_ADDRESS, '<address>');
  if (typeof value === 'number') return value >= CHOSEN_PORT && value <= 32_767 ? '<port>' : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutChoices);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'managedFields' ? sortedManagers(item) : withoutChoices(item)]),
  );
}

/** Managers stand in the order of their seconds: whether two writes fell into one is nobody's. */
function sortedManagers(managers: unknown): unknown {
  return Array.isArray(managers) ? managers.map((manager) => JSON.stringify(manager)).sort() : managers;
}
