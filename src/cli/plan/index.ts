/** `keelson plan`: what the operator would write to a world. */
export { type PlanInput, planOf } from './plan.js';
export { runPlan } from './plan-command.js';
export type { Plan, PlannedChange } from './plan-report.js';
