import { type Level, RULES, type RuleId } from './rules.js';

/** One difference that a rule is about. */
export interface Finding {
  readonly rule: RuleId;
  readonly level: Level;
  /** `CustomResourceDefinition memcacheds.cache.example.com`. */
  readonly object: string;
  /** `v1 spec.size`; `''` for the object itself. */
  readonly path: string;
  /** The old and the new state. */
  readonly message: string;
  /** Whether updates that leave the value alone are taken: the API server has compared only what changes since Kubernetes 1.33. */
  readonly isRatcheted?: boolean | undefined;
}

export function findingOf(rule: RuleId, object: string, path: string, message: string): Finding {
  return { rule, level: RULES[rule].level, object, path, message };
}

/** A value as a finding shows it. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'none' : JSON.stringify(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

const MOST = 120;
