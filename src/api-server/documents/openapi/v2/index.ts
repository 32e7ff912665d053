/** The document `/openapi/v2`. Source: kube-openapi `pkg/builder`, kube-aggregator `pkg/controllers/openapi`, 1.34. */
export { swaggerDocument } from './document.js';
