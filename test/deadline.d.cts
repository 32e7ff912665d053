/** The one deadline of tests, in milliseconds: for `eventually`, for processes that tests run, and for the `timeout` of a TestCluster. */
export declare const DEADLINE_MS: number;

/** jest's `testTimeout`, against hangs only. A test whose length is set by the environment adds it to that. */
export declare const HANG_MS: number;
