import { type FieldError, invalid } from '@keelson/kubernetes/apimachinery';

export type Level = 'privileged' | 'baseline' | 'restricted';

/** A level as of one version of the standards. */
export interface LevelVersion {
  readonly level: Level;
  /** `latest` or `v1.x`. */
  readonly version: string;
}

/** The levels that a namespace asks for. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly warn: LevelVersion;
}

/** From lax to strict. */
const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted'];
const PREFIX = 'pod-security.kubernetes.io/';
const VERSION = /^v1\.(0|[1-9][0-9]*)$/;
const LARGEST_INT = 2n ** 63n - 1n;
/** As a kube-apiserver without a configuration of the plugin. */
const DEFAULT: LevelVersion = { level: 'privileged', version: 'latest' };

type Labels = Readonly<Record<string, string>>;

/** The text of a level and its version, as messages name it. */
export function levelText({ level, version }: LevelVersion): string {
  return `${level}:${version}`;
}

/** Negative, zero or positive, as `left` is laxer than, as strict as, or stricter than `right`. */
export function compareLevels(left: Level, right: Level): number {
  return LEVELS.indexOf(left) - LEVELS.indexOf(right);
}

/** The minor version whose rules are meant; infinite: the newest that there are. */
export function minorOf(version: string): number {
  const digits = VERSION.exec(version)?.[1];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}

/**
 * Reads the labels of a namespace. A wrong level enforces `restricted` and warns of nothing. There is no audit log here: its labels are only
 * checked.
 *
 * Source: pod-security-admission `api/helpers.go`.
 */
export function policyOf(labels: Labels = {}): { readonly policy: Policy; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const enforce = levelVersion(labels, 'enforce', errors);
  levelVersion(labels, 'audit', errors);
  const warn = levelVersion(labels, 'warn', errors);
  return { policy: { enforce: { ...enforce, level: enforce.level ?? 'restricted' }, warn: warnLevel(labels, enforce, warn) }, errors };
}

interface Read {
  /** Undefined: not a level. */
  readonly level: Level | undefined;
  readonly version: string;
}

/** A namespace without a level of its own for warnings is warned of what will be refused. */
function warnLevel(labels: Labels, enforce: Read, { level, version }: Read): LevelVersion {
  const isSilent = !(`${PREFIX}warn` in labels) && `${PREFIX}enforce` in labels && enforce.level !== undefined;
  if (!isSilent || enforce.level === 'privileged') return { level: level ?? 'privileged', version };
  return { level: enforce.level, version: `${PREFIX}warn-version` in labels ? version : enforce.version };
}

function levelVersion(labels: Labels, mode: string, errors: FieldError[]): Read {
  const [levelLabel, versionLabel] = [`${PREFIX}${mode}`, `${PREFIX}${mode}-version`];
  const [level, version] = [labels[levelLabel], labels[versionLabel]];
  const known = level === undefined ? DEFAULT.level : LEVELS.find((candidate) => candidate === level);
  if (known === undefined) errors.push(invalid(`metadata.labels[${levelLabel}]`, level, `must be one of ${LEVELS.join(', ')}`));
  if (version === undefined || isVersion(version)) return { level: known, version: version ?? DEFAULT.version };
  errors.push(invalid(`metadata.labels[${versionLabel}]`, version, 'must be "latest" or "v1.x"'));
  return { level: known, version: DEFAULT.version };
}

function isVersion(text: string): boolean {
  const digits = VERSION.exec(text)?.[1];
  return text === 'latest' || (digits !== undefined && BigInt(digits) <= LARGEST_INT);
}
