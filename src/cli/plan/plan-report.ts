import type { FieldChange } from '@keelson/runtime/internal/journal';
import type { RunProblem } from '../rehearsal/index.js';

export interface NamedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

/** An object that the operator writes. `recreate`: it is deleted, and made again under its name. */
export interface PlannedChange {
  readonly action: 'change' | 'create' | 'delete' | 'recreate';
  readonly object: NamedObject;
  /** The object whose child it is, `Memcached shop/main`. */
  readonly owner?: string;
  /** Empty for creations and deletions. */
  readonly fields: readonly FieldChange[];
}

/** Pods that are replaced, or whose containers start again. */
export interface Restart {
  readonly object: NamedObject;
  readonly pods: number;
  /** Paths of the fields, or what happens to the object. */
  readonly because: readonly string[];
}

/** An object that the schema of this release does not allow any more. */
export interface UnfitObject {
  readonly object: NamedObject;
  readonly place: string;
  readonly message: string;
}

/** The names are those of the JSON output. */
export interface Plan {
  readonly apiVersion: 'cli.keelson.dev/v1';
  readonly kind: 'Plan';
  readonly summary: {
    readonly create: number;
    readonly change: number;
    readonly delete: number;
    readonly recreate: number;
    readonly status: number;
    readonly restartingPods: number;
    readonly knownAfter: number;
    readonly failed: number;
  };
  readonly changes: readonly PlannedChange[];
  readonly restarts: readonly Restart[];
  readonly status: readonly { readonly object: NamedObject; readonly fields: readonly FieldChange[] }[];
  readonly unfit: readonly UnfitObject[];
  /** Objects whose run needs an external. */
  readonly knownAfter: readonly { readonly subject: string; readonly needs: string }[];
  /** Objects that failed or could not be judged. */
  readonly failures: readonly {
    readonly subject: string;
    readonly reason: RunProblem['reason'] | 'refused' | 'unread';
    readonly message: string;
  }[];
  /** Reasons why the plan is less certain. */
  readonly notes: readonly string[];
}

const EXIT = { unchanged: 0, failed: 1, changed: 2 } as const;

export function exitStatusOf({ summary, changes, status, knownAfter }: Plan): number {
  if (summary.failed > 0) return EXIT.failed;
  return changes.length + status.length + knownAfter.length > 0 ? EXIT.changed : EXIT.unchanged;
}
