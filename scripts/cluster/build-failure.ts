/** Exit codes of the build script: a caller can distinguish "cannot be built here" from "is broken". */
export const EXIT_CODES = {
  goMissing: 10,
  goTooOld: 11,
  modulesUnavailable: 12,
  compileFailed: 13,
  wrongVersion: 14,
  assetsIncomplete: 15,
  nodeImpossible: 16,
  packagesImpossible: 17,
  javaMissing: 18,
  librariesUnavailable: 19,
} as const;

export type BuildFailureCause = keyof typeof EXIT_CODES;

/** These say something about the machine, not about the project: the cluster suites are then skipped (but never in CI). */
const ENVIRONMENTAL: readonly BuildFailureCause[] = [
  'goMissing',
  'goTooOld',
  'modulesUnavailable',
  'nodeImpossible',
  'packagesImpossible',
  'javaMissing',
  'librariesUnavailable',
];

export class BuildFailure extends Error {
  readonly reason: BuildFailureCause;

  constructor(reason: BuildFailureCause, message: string) {
    super(message);
    this.name = 'BuildFailure';
    this.reason = reason;
  }

  get exitCode(): number {
    return EXIT_CODES[this.reason];
  }

  get isEnvironmental(): boolean {
    return ENVIRONMENTAL.includes(this.reason);
  }
}
