import { type Duration, millisecondsOf, OperatorError } from '@keelson/kubernetes/apimachinery';

/** One mistake in a definition: where it is, what was found and how to mend it. */
export interface Problem {
  /** For example `versions.v1.spec.size` or `owns.deployments`. */
  readonly path: string;
  readonly message: string;
  /** Set where the API server takes what was found: `existing: true` lifts the rule. */
  readonly isForNew?: true | undefined;
}

/** A rule that definitions of new resources have beyond those of the API server. */
export const forNew = (problem: Problem): Problem => ({ ...problem, isForNew: true });

/** A definition that the API server would refuse, or that cannot do what it says. It carries all mistakes, not only the first. */
export class DefinitionError extends OperatorError {
  override readonly actor = 'author';
  override readonly code = 'KEELSON_DEFINITION_INVALID';
  readonly problems: readonly Problem[];

  /** @param subject what is defined, for example `custom resource Memcached` */
  constructor(subject: string, problems: readonly Problem[]) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    super([`${subject}: ${count}`, ...problems.map(({ path, message }) => `  ${path}: ${message}`)].join('\n'));
    this.problems = problems;
  }
}

/**
 * Throw it in `reconcile` when trying again is pointless before the object changes: a wrong spec, for example.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   async reconcile({ object, done }) {
 *     if (object.spec.size > 100) throw new TerminalError('spec.size: at most 100 replicas are supported');
 *     return done();
 *   },
 * });
 * ```
 */
export class TerminalError extends OperatorError {
  override readonly actor = 'user';
  override readonly code = 'KEELSON_TERMINAL';
}

/**
 * Throw it in `reconcile` or `finalize` to be called again after a time of your choice, without the back-off of an error.
 *
 * @example
 * ```ts
 * const controller = defineController({
 *   name: 'memcached',
 *   for: Memcached,
 *   reads: { secrets: Secret },
 *   async reconcile({ object, secrets, done }) {
 *     if ((await secrets.get(object.spec.secretName)) === undefined) throw new RetryLater('1m', 'the Secret is missing');
 *     return done();
 *   },
 * });
 * ```
 */
export class RetryLater extends OperatorError {
  override readonly actor = 'nobody';
  override readonly code = 'KEELSON_RETRY_LATER';
  readonly afterMs: number;

  /** @throws TypeError when `after` is not a duration such as `30s` */
  constructor(after: Duration, reason?: string) {
    super(reason === undefined ? `retry after ${String(after)}` : `retry after ${String(after)}: ${reason}`);
    const afterMs = typeof after === 'string' ? millisecondsOf(after) : undefined;
    if (afterMs === undefined)
      throw new TypeError(`RetryLater: '${String(after)}' is not a duration; write a number and ms, s, m or h, for example '30s'`);
    this.afterMs = afterMs;
  }
}
