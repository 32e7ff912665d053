import { requestToken, type TokenRequest } from '../../access/index.js';
import type { JsonObject, Subresource } from '../../contract/index.js';
import type { HandlerSurroundings } from './surroundings.js';

/** `serviceaccounts/token`. */
export function tokenHandler({
  tokens,
  find,
  clock,
}: Pick<HandlerSurroundings, 'clock' | 'find' | 'tokens'>): NonNullable<Subresource['handle']> {
  return async ({ namespace, name, body, validate }) => {
    const request = (body ?? {}) as TokenRequest;
    const answer = await requestToken(request, {
      namespace,
      name,
      tokens,
      find,
      now: () => clock.now().getTime(),
      validate: validate && ((completed) => validate(completed as JsonObject)),
    });
    return { code: 201, body: answer as JsonObject };
  };
}
