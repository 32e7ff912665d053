export { type ServiceAccountSurroundings, serviceAccount } from './service-account.js';
