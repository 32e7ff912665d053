import type { IConstruct } from 'constructs';

/** Type of the construct metadata entry that carries a warning, in the manner of `aws:cdk:warning`. */
export const WARNING_METADATA = 'keelson:warning';

export interface ConstructWarning {
  /** Path of the construct that warns. */
  readonly path: string;
  readonly message: string;
}

/**
 * Leaves a warning on a construct: as construct metadata for programs ({@link warningsOf}), and on stderr for people, once, when the app is synthesized.
 * cdk8s itself has no warnings; `process.emitWarning` can be traced and silenced by Node's own options.
 */
export function addWarning(construct: IConstruct, message: string): void {
  construct.node.addMetadata(WARNING_METADATA, message);
  const shared = construct.node.tryGetContext(SHOWN_WARNINGS_CONTEXT) as Set<string> | undefined;
  const told = shared ?? new Set();
  construct.node.addValidation({
    validate: () => {
      // Without the root: an app that is built again and again may have another name each time.
      const place = construct.node.scopes.slice(2).map(({ node }) => node.id);
      const key = [...place, message].join('\n');
      if (!told.has(key)) process.emitWarning(`[${construct.node.path}] ${message}`, { type: 'KeelsonWarning', code: 'KEELSON_SYNTH' });
      told.add(key);
      return [];
    },
  });
}

/** Context of an app that is one of many with the same constructs: the set of warnings that have been on stderr already. */
export const SHOWN_WARNINGS_CONTEXT = 'keelson:shown-warnings';

/**
 * All warnings below a construct, in tree order. A platform's pipeline may fail on them.
 *
 * @example
 * ```ts
 * const app = new App();
 * const chart = new Chart(app, 'memcached');
 * new Operator(chart, 'operator', { operator, image: 'registry.example.com/memcached-operator:1.0.0' });
 * app.synth();
 * if (warningsOf(app).length > 0) process.exitCode = 1;
 * ```
 */
export function warningsOf(scope: IConstruct): ConstructWarning[] {
  return scope.node
    .findAll()
    .flatMap((construct) =>
      construct.node.metadata
        .filter((entry) => entry.type === WARNING_METADATA)
        .map((entry) => ({ path: construct.node.path, message: String(entry.data) })),
    );
}
