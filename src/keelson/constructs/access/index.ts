/** The operator's identity at the API server and the rights that it is granted. Way in: {@link OperatorRbac}. */
export { OperatorRbac, type OperatorRbacProps } from './operator-rbac.js';
export { OperatorServiceAccount, type OperatorServiceAccountProps } from './operator-service-account.js';
