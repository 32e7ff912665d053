import type { ZodCheckDef, ZodNode } from '../zod-internals.js';
import { type ConversionContext, type Place, refuse } from './context.js';
import { REFUSED_CHECKS } from './refusals.js';

/** The checks of a node that are zod's own, its own format first. Refuses those that run code. */
export function nativeChecks(node: ZodNode, context: ConversionContext, place: Place): readonly ZodCheckDef[] {
  const { def } = node._zod;
  const own = def.check === undefined || def.check === 'custom' ? [] : [def as unknown as ZodCheckDef];
  const others = (def.checks ?? []).map((check) => check._zod.def).filter((check) => check.keelson === undefined);
  return [...own, ...others].filter((check) => {
    const refusal = REFUSED_CHECKS[check.check];
    if (refusal !== undefined) refuse(context, place, refusal);
    return refusal === undefined;
  });
}
