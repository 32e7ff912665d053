import {
  type AnsweredReview,
  type Review,
  reviewLocalSubjectAccess,
  reviewSelfSubject,
  reviewSelfSubjectAccess,
  reviewSelfSubjectRules,
  reviewSubjectAccess,
  reviewToken,
} from '../../access/index.js';
import type { JsonObject, RequestUser } from '../../contract/index.js';
import type { BuiltinHandlers } from '../../kinds/index.js';
import type { HandlerSurroundings } from './surroundings.js';

interface Asked {
  readonly review: Review<object>;
  readonly namespace: string;
  readonly user: RequestUser;
}

/** Questions to the server about users and rights: a create whose answer is its own object, with a status. */
export function reviewHandlers({ authenticator, authorizer, clock }: HandlerSurroundings): BuiltinHandlers {
  const answers: Readonly<Record<string, (asked: Asked) => AnsweredReview>> = {
    'tokenreviews.authentication.k8s.io': ({ review }) => reviewToken(review, authenticator),
    'selfsubjectreviews.authentication.k8s.io': ({ user }) => reviewSelfSubject(user, `${clock.now().toISOString().slice(0, 19)}Z`),
    'subjectaccessreviews.authorization.k8s.io': ({ review }) => reviewSubjectAccess(review, authorizer),
    'localsubjectaccessreviews.authorization.k8s.io': ({ review, namespace }) => reviewLocalSubjectAccess(review, namespace, authorizer),
    'selfsubjectaccessreviews.authorization.k8s.io': ({ review, user }) => reviewSelfSubjectAccess(review, user, authorizer),
    'selfsubjectrulesreviews.authorization.k8s.io': ({ review, user }) => reviewSelfSubjectRules(review, user, authorizer),
  };
  return Object.fromEntries(
    Object.entries(answers).map(([resource, answer]) => [
      resource,
      async ({ body, namespace }, { user }) => ({
        code: 201,
        body: answer({ review: (body ?? {}) as Review<object>, namespace, user }) as unknown as JsonObject,
      }),
    ]),
  ) satisfies BuiltinHandlers;
}
