import type { ApiObject } from 'cdk8s';
import type { CustomResourceModel } from '../definition/index.js';
import { fieldErrorText, type Json, type KindInfo } from '../kubernetes/index.js';
import { applyDefaults, prune, validate } from '../schema/index.js';

/** A custom resource's kind says which definition it belongs to; a built-in kind does not. */
type MaybeCustomResource = KindInfo & { readonly customResource?: CustomResourceModel | undefined };

/**
 * What the API server would refuse an object for: unknown fields, values that the schema does not allow, CEL rules. In the server's own words.
 *
 * Nothing is said about kinds whose schema is not at hand (built-in and third-party ones).
 */
export function sampleProblems(definition: MaybeCustomResource, object: ApiObject): string[] {
  const version = definition.customResource?.versionList.find(({ name }) => name === definition.version);
  if (version === undefined) return [];
  let manifest: Json;
  try {
    manifest = object.toJson() as Json;
  } catch {
    return []; // the object itself reports that it cannot be written
  }
  const problems: string[] = [];
  const pruned = prune(version.schema, manifest, {
    isResourceRoot: true,
    onUnknownField: (path) =>
      problems.push(`${path}: ${object.kind} ${definition.version} has no such field; correct its name or leave it out`),
  });
  const errors = validate(version.schema, applyDefaults(version.schema, pruned), { scale: version.scale });
  const texts = errors.filter(({ field, message }) => !(field === '<nil>' && message.includes(UNCHECKED))).map(fieldErrorText);
  return [...problems, ...texts];
}

/** The server adds this line to every other error of an object whose schema has rules: true, and no news. */
const UNCHECKED = 'some validation rules were not checked';
