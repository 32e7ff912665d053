import type { Draft, RequestBody, RequestContext, Target, WrittenObject } from '../contract/index.js';
import { checkName } from './check-name.js';
import { namespaceOf } from './create.js';
import { decodeBody } from './decode.js';
import { updateAt } from './endpoint-update.js';
import { Gate } from './gate.js';
import { draftMetadata, dropDuplicateOwners, ensureNamespace, metadataOf } from './metadata.js';
import type { Parts } from './parts.js';
import type { Subject } from './subject.js';
import { track } from './track.js';

/** `PUT`. Source of the steps: apiserver, `pkg/endpoints/handlers/update.go`. */
export async function putObject(
  parts: Parts,
  { target, body }: { target: Target; body: RequestBody },
  context: RequestContext,
): Promise<WrittenObject> {
  const subject = parts.subjectOf(target);
  const decode = (warn: RequestContext['warn']): Draft => decodeNamed(subject, { target, body }, { ...context, warn });
  const first = decode(context.warn);
  const gate = new Gate(parts.admission, { target, context });
  let next: Draft | undefined = first;
  return updateAt(parts, {
    target,
    context,
    gate,
    createsMissing: target.served.version.strategy.allowsCreateOnUpdate,
    uid: metadataOf(first).uid,
    async change(live) {
      // The draft of the try before has been changed by it, and its warnings have been sent.
      const draft = next ?? decode(() => undefined);
      next = undefined;
      const admitted = await gate.mutate(await track(subject, { draft, live }, context), live);
      dropDuplicateOwners(admitted, context, 'after admission');
      return admitted;
    },
  });
}

function decodeNamed(subject: Subject, { target, body }: { target: Target; body: RequestBody }, context: RequestContext): Draft {
  const draft = decodeBody(subject, body, context);
  ensureNamespace(draftMetadata(draft), namespaceOf(target));
  checkName(target, draft);
  dropDuplicateOwners(draft, context, 'before admission');
  return draft;
}
