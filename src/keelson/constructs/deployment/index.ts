/** The process that runs the operator: Deployment, pod template, disruption budget. Way in: {@link OperatorDeployment}. */
export { OperatorDeployment, type OperatorDeploymentProps } from './operator-deployment.js';
export { OperatorPodDisruptionBudget, type OperatorPodDisruptionBudgetProps } from './operator-disruption-budget.js';
export type { EnvironmentValue, OperatorPodProps, OperatorProbes } from './operator-pod-props.js';
