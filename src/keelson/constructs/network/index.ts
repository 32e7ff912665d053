/** The ways to the operator's pods: Services, and the policy that closes all other ways. Way in: {@link WebhookService}. */
export { OperatorNetworkPolicy, type OperatorNetworkPolicyProps } from './operator-network-policy.js';
export {
  EndpointService,
  type EndpointServiceProps,
  METRICS_LABEL,
  MetricsService,
  type OperatorServiceProps,
  WebhookService,
} from './operator-services.js';
