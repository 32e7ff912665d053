import { isRecord } from '@keelson/kubernetes/apimachinery';
import { parse, YAMLError } from 'yaml';
import type { Finding } from './finding.js';
import { RULES } from './rules.js';

/** An entry of `keelson.allow.yaml`: a finding that is wanted. */
export interface Allowance {
  readonly rule: string;
  readonly object: string;
  /** Absent: every path of the object. */
  readonly path?: string | undefined;
  readonly reason: string;
  /** The last day on which it counts, `2027-03-31`. */
  readonly until?: string | undefined;
}

export interface Allowed {
  /** Findings without an allowance. */
  readonly open: readonly Finding[];
  readonly allowed: readonly { readonly finding: Finding; readonly allowance: Allowance }[];
  /** A line for each allowance that no finding needs, and for each that is over. */
  readonly problems: readonly string[];
}

const FIELDS = new Set(['rule', 'object', 'path', 'reason', 'until']);
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Reads `keelson.allow.yaml`. @returns problems of the file, each with its place */
export function readAllowances(text: string): { readonly allowances: readonly Allowance[]; readonly problems: readonly string[] } {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    if (!(error instanceof YAMLError)) throw error;
    return { allowances: [], problems: [`is not valid YAML: ${error.message}`] };
  }
  const list: unknown = isRecord(value) ? value['allow'] : undefined;
  if (!Array.isArray(list)) return { allowances: [], problems: ['has no list under allow: write allow: [{ rule, object, reason }]'] };
  const problems = list.flatMap((item, index) => problemsOf(item).map((problem) => `allow[${index}]: ${problem}`));
  return problems.length > 0 ? { allowances: [], problems } : { allowances: list as readonly Allowance[], problems };
}

function problemsOf(item: unknown): readonly string[] {
  if (!isRecord(item)) return ['is not a mapping with rule, object and reason'];
  const unknown = Object.keys(item).filter((field) => !FIELDS.has(field));
  const lacking = ['rule', 'object', 'reason'].filter((field) => typeof item[field] !== 'string' || item[field] === '');
  const { rule, until } = item;
  return [
    ...unknown.map((field) => `has an unknown field ${field}`),
    ...lacking.map((field) => `needs the text ${field}`),
    ...(typeof rule === 'string' && rule !== '' && !Object.hasOwn(RULES, rule) ? [`names the rule ${rule}, which does not exist`] : []),
    ...(until === undefined || (typeof until === 'string' && DAY.test(until)) ? [] : ['until is not a day as "2027-03-31", in quotes']),
  ];
}

/** @param today `2026-11-29` */
export function applyAllowances(findings: readonly Finding[], allowances: readonly Allowance[], today: string): Allowed {
  const used = new Set<Allowance>();
  const allowed: { readonly finding: Finding; readonly allowance: Allowance }[] = [];
  const open = findings.filter((finding) => {
    const allowance = allowances.find((one) => covers(one, finding) && !isOver(one, today));
    if (allowance === undefined) return true;
    used.add(allowance);
    allowed.push({ finding, allowance });
    return false;
  });
  const problems = allowances
    .filter((one) => !used.has(one))
    .map(
      (one) =>
        `${one.rule} of ${one.object}${one.path === undefined ? '' : ` at ${one.path}`}: ${isOver(one, today) ? `its end was ${one.until}` : 'no finding needs it; remove it'}`,
    );
  return { open, allowed, problems };
}

function covers({ rule, object, path }: Allowance, finding: Finding): boolean {
  return rule === finding.rule && object === finding.object && (path === undefined || path === finding.path);
}

const isOver = ({ until }: Allowance, today: string): boolean => until !== undefined && until < today;
