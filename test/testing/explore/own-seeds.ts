const VARIABLES = ['KEELSON_EXPLORE_SEEDS', 'KEELSON_EXPLORE_FROM'] as const;

/** The tests around choose their seeds themselves, whatever the run explores elsewhere. */
export function ownSeeds(): void {
  const ofTheRun = VARIABLES.map((name) => [name, process.env[name]] as const);
  beforeAll(() => {
    for (const name of VARIABLES) delete process.env[name];
  });
  afterAll(() => {
    for (const [name, value] of ofTheRun) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}
