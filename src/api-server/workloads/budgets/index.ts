/** PodDisruptionBudgets: how many Pods may be missing. */
export { budgetController } from './budget-controller.js';
