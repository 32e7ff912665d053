import type { Json, KindInfo } from '@keelson/kubernetes/apimachinery';
import type { ApiObject } from 'cdk8s';
import type { CustomResourceModel } from '../../definition/index.js';

/** A custom resource's kind says which definition it belongs to; a built-in kind does not. */
type MaybeCustomResource = KindInfo & { readonly customResource?: CustomResourceModel | undefined };

/**
 * The API server's objections to an object, in its own words. Nothing is said about kinds that have no definition (built-in and third-party ones).
 *
 * The definition judges, not this folder: charts that have a definition have loaded its checks already, and charts of other objects do not load them.
 */
export function sampleProblems(definition: MaybeCustomResource, object: ApiObject): readonly string[] {
  const version = definition.customResource?.versionList.find(({ name }) => name === definition.version);
  if (version?.problemsOf === undefined) return [];
  let manifest: Json;
  try {
    manifest = object.toJson() as Json;
  } catch {
    return []; // the object itself reports that it cannot be written
  }
  return version.problemsOf(manifest);
}
