/** A whole operator as one construct. Way in: {@link Operator}. */
export { Operator, type OperatorCrdOptions, type OperatorProps } from './operator.js';
export { OperatorNamespace, type OperatorNamespaceProps } from './operator-namespace.js';
