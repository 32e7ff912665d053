import { trackUpdate } from '../apply/index.js';
import type { Draft, JsonObject, RequestContext } from '../resources/index.js';
import type { Subject } from './subject.js';

/** The draft with the fields that its writer comes to own; `live` is undefined of an object that is created. */
export function track(
  subject: Subject,
  { draft, live }: { draft: Draft; live: JsonObject | undefined },
  { fieldManager, now }: RequestContext,
): Draft {
  const tracked = trackUpdate({ endpoint: subject.endpoint, live: live ?? subject.empty, updated: draft, manager: fieldManager, now });
  // The object and its metadata are new, all else is the draft's own.
  return tracked.object as Draft;
}
