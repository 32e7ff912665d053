/** The admission plugin ServiceAccount: account and token volume of each Pod. */
export { type ServiceAccountSurroundings, serviceAccount } from './service-account.js';
