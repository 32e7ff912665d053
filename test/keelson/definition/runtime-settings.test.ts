import fc from 'fast-check';
import {
  LOG_LEVELS,
  RUNTIME_DEFAULTS,
  type RuntimeSettings,
  runtimeEnvironment,
  runtimeSettingsOf,
  unknownVariables,
} from '../../../src/keelson/definition/runtime-settings';

const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,10}[a-z0-9])?$/);
const port = fc.integer({ min: 1, max: 65_535 });
const names = fc.array(name, { maxLength: 3 });

const settings: fc.Arbitrary<RuntimeSettings> = fc.record(
  {
    instance: name,
    watchNamespaces: fc.array(name, { minLength: 1, maxLength: 3 }),
    selector: fc.constantFrom('class=a', 'class in (a,b),!old'),
    fieldSelector: fc.constantFrom('spec.className=a', 'spec.className='),
    leaseName: name,
    logLevel: fc.constantFrom(...LOG_LEVELS),
    drainSeconds: fc.integer({ min: 0, max: 3600 }),
    listenAddress: fc.constantFrom('127.0.0.1', '::1'),
    healthPort: port,
    metrics: fc.record({ port, secure: fc.boolean() }),
    profiles: fc.constant(true),
    journal: fc.constant(true),
    paused: fc.constant(true),
    webhookPort: port,
    webhookClientAuthorityFile: fc.constantFrom('/run/ca.crt', '/a b/c'),
    storedVersions: fc.array(name, { minLength: 1, maxLength: 3 }),
    certificates: fc.oneof(
      fc.record({ mode: fc.constant('mounted' as const), directory: fc.constant('/var/run/x') }),
      fc.record(
        {
          mode: fc.constant('selfManaged' as const),
          secretName: name,
          dnsNames: names,
          mutatingConfiguration: name,
          validatingConfiguration: name,
          conversionCrds: names,
        },
        { requiredKeys: ['mode', 'secretName', 'dnsNames', 'conversionCrds'] },
      ),
    ),
  },
  { requiredKeys: ['logLevel', 'drainSeconds', 'healthPort', 'webhookPort'] },
) as fc.Arbitrary<RuntimeSettings>;

describe('runtime settings', () => {
  test('what synth writes, the process reads', () => {
    fc.assert(fc.property(settings, (value) => expect(runtimeSettingsOf(runtimeEnvironment(value))).toEqual(value)));
  });

  test('a process without our variables runs with the defaults', () => {
    expect(runtimeSettingsOf({ PATH: '/bin', KEELSON_LEASE_NAME: '' })).toEqual(RUNTIME_DEFAULTS);
    expect(runtimeEnvironment(RUNTIME_DEFAULTS)).toEqual({});
  });

  test.each([
    [{ KEELSON_HEALTH_PORT: '70000' }, "KEELSON_HEALTH_PORT: '70000' is not usable; set a whole number from 0 to 65535"],
    [{ KEELSON_DRAIN_SECONDS: '-1' }, "KEELSON_DRAIN_SECONDS: '-1' is not usable"],
    [{ KEELSON_METRICS_SECURE: 'yes' }, "KEELSON_METRICS_SECURE: 'yes' is not usable; set true or false"],
    [{ KEELSON_PROFILES: 'on' }, "KEELSON_PROFILES: 'on' is not usable; set true or false"],
    [{ KEELSON_LOG_LEVEL: 'loud' }, "KEELSON_LOG_LEVEL: 'loud' is not usable; set one of fatal, error, warn, info, debug, trace"],
    [{ KEELSON_WATCH_NAMESPACES: 'a, B_c' }, "KEELSON_WATCH_NAMESPACES: 'B_c' is not usable; set names of namespaces, with commas between"],
    [{ KEELSON_WATCH_NAMESPACES: ' , ' }, "KEELSON_WATCH_NAMESPACES: ' , ' is not usable"],
    [{ KEELSON_SELECTOR: 'a b' }, "KEELSON_SELECTOR: 'a b' is not a label selector"],
    [{ KEELSON_FIELD_SELECTOR: 'a!=b' }, "KEELSON_FIELD_SELECTOR: 'a!=b' leaves out a value of a"],
    [{ KEELSON_CERTIFICATES: 'magic' }, "KEELSON_CERTIFICATES: 'magic' is not usable; set selfManaged or mounted"],
    [{ KEELSON_CERTIFICATES: 'selfManaged' }, 'KEELSON_CERTIFICATE_SECRET'],
  ])('%j is refused by name', (environment, message) => {
    expect(() => runtimeSettingsOf(environment)).toThrow(message);
  });

  test('a misspelt variable is found; those of a Service of our name are none of ours', () => {
    const service = { KEELSON_METRICS_SERVICE_HOST: '10.0.0.1', KEELSON_PORT: 'tcp://10.0.0.1:80', KEELSON_PORT_80_TCP_PORT: '80' };
    const environment = { ...runtimeEnvironment({ ...RUNTIME_DEFAULTS, instance: 'a', logLevel: 'warn' }), ...service, PATH: '/bin' };
    expect(unknownVariables(environment)).toEqual([]);
    expect(unknownVariables({ ...environment, KEELSON_LOG_LVL: 'debug', KEELSON_HEALTHPORT: '1' })).toEqual([
      'KEELSON_LOG_LVL',
      'KEELSON_HEALTHPORT',
    ]);
  });
});
