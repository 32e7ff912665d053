import { type OperatorModel, RUNTIME_CONTRACT } from 'keelson/internal/definition';
import { admissionRoute } from './admission-route.js';
import type { Route } from './call.js';
import { conversionRoute } from './conversion-route.js';
import { WebhookServerError } from './errors.js';
import type { AdmissionHandles } from './handles.js';

/** Everything that an operator serves, by path. @throws WebhookServerError when two webhooks share one */
export function routesOf(
  operator: Pick<OperatorModel, 'webhooks' | 'customResources'>,
  handles?: AdmissionHandles,
): ReadonlyMap<string, Route> {
  const converted = operator.customResources.filter(({ conversions }) => conversions !== undefined);
  const routes = [
    ...operator.webhooks.map((webhook) => admissionRoute(webhook, handles)),
    ...(converted.length === 0 ? [] : [conversionRoute(RUNTIME_CONTRACT.paths.conversion, converted)]),
  ];
  const byPath = new Map<string, Route>();
  for (const route of routes) {
    if (byPath.has(route.path)) throw new WebhookServerError(`two webhooks share the path ${route.path}; give one of them a name`);
    byPath.set(route.path, route);
  }
  return byPath;
}
