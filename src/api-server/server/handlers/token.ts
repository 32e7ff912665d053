import { requestToken, type TokenRequest } from '../../access/index.js';
import type { JsonObject, Subresource } from '../../contract/index.js';
import type { HandlerSurroundings } from './surroundings.js';

/** `serviceaccounts/token`. */
export function tokenHandler({
  tokens,
  find,
  clock,
}: Pick<HandlerSurroundings, 'clock' | 'find' | 'tokens'>): NonNullable<Subresource['handle']> {
  return async ({ namespace, name, body }) => {
    const request = (body ?? {}) as TokenRequest;
    const answer = requestToken(request, { namespace, name, tokens, find, now: () => clock.now().getTime() });
    return { code: 201, body: answer as JsonObject };
  };
}
