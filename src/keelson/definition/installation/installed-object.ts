/** An object that an installation of an operator consists of, as the API server takes it. */
export interface InstalledObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    /** Absent of cluster-scoped objects. */
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  /** `spec`, `rules` and whatever else the kind has. A value of `undefined` is left out where the object is written. */
  readonly [field: string]: unknown;
}
