/** Some of the values, for example other defaults: groups may be given in part, lists are given whole. */
export type DefaultsOf<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? DefaultsOf<T[K]> : T[K];
};
