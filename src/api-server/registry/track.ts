import { type Draft, type JsonObject, type RequestContext, withConversions } from '../contract/index.js';
import { trackUpdate } from '../values/index.js';
import type { Subject } from './subject.js';

/** The draft with the fields that its writer comes to own; `live` is undefined of an object that is created. */
export async function track(
  subject: Subject,
  { draft, live }: { draft: Draft; live: JsonObject | undefined },
  { fieldManager, now }: RequestContext,
): Promise<Draft> {
  const { endpoint, empty } = subject;
  const tracked = await withConversions(() => trackUpdate({ endpoint, live: live ?? empty, updated: draft, manager: fieldManager, now }));
  // The object and its metadata are new, all else is the draft's own.
  return tracked.object as Draft;
}
