import type { Draft, JsonObject, StatusStrategy, Target, WrittenObject } from '../contract/index.js';
import { notFound } from '../status/index.js';
import type { Parts } from './parts.js';
import { missing, resourceOf } from './refusals.js';
import { Scaling } from './scale.js';
import { type Update, updateObject } from './update.js';

/** A write at one of the endpoints of an object. */
export interface EndpointUpdate extends Omit<Update, 'change' | 'rules' | 'shown'> {
  /** The new body of the endpoint (the object, or its Scale) from the current one; undefined: there is no object. */
  change(live: JsonObject | undefined): Promise<Draft>;
}

/** Subresources never create their object. */
export async function updateAt(parts: Parts, update: EndpointUpdate): Promise<WrittenObject> {
  const { target } = update;
  if (target.subresource !== 'scale') {
    return updateObject(parts, { ...update, createsMissing: update.createsMissing && target.subresource === '', rules: rulesOf(target) });
  }
  const scaling = new Scaling(target);
  const { object } = await updateObject(parts, {
    ...update,
    createsMissing: false,
    rules: target.served.version.strategy,
    shown: (parent) => scaling.of(parent),
    async change(parent) {
      if (parent === undefined) throw missing(target);
      return scaling.written(parent, await update.change(scaling.live(parent)));
    },
  });
  return { object: scaling.of(object), isCreated: false };
}

/** The rules of the object itself, of its status, or of a variant. @throws StatusError 404 where the version has no such subresource */
export function rulesOf({ served, name, subresource }: Target): StatusStrategy {
  const { strategy, status, variants } = served.version;
  const rules = subresource === '' ? strategy : subresource === 'status' ? status : variants?.[subresource];
  if (rules === undefined) throw notFound(resourceOf(served), name);
  return rules;
}
