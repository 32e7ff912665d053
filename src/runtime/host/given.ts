import type { OperatorModel, UseModel } from '../../definition/index.js';
import type { Clock } from '../clock/index.js';
import { Given } from '../outside/index.js';
import type { Metrics, Tracing } from '../telemetry/index.js';
import type { StartOptions } from './options.js';

export interface GivenParts {
  readonly operator: OperatorModel;
  readonly options: StartOptions;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly clock: Clock;
}

/** The externals of the process, for all parts of the operator. @throws ExternalError naming externals that are missing, and those that nothing asks for */
export function givenTo({ operator, options, metrics, tracing, clock }: GivenParts): Given {
  return new Given({
    uses: usesOf(operator),
    externals: (options.externals ?? {}) as Readonly<Record<string, unknown>>,
    monotonicMs: () => clock.monotonicMs(),
    observer: metrics.outsideObserver(operator.name),
    beginSpan: (name, attributes) => tracing.beginSpan(name, attributes),
    intercept: options.interceptExternal,
  });
}

/** One name is one thing in an operator: the definition holds that. */
function usesOf({ controllers, webhooks }: OperatorModel): Readonly<Record<string, UseModel>> {
  return Object.assign({}, ...controllers.map(({ uses }) => uses), ...webhooks.map(({ uses = {} }) => uses)) as Readonly<
    Record<string, UseModel>
  >;
}
