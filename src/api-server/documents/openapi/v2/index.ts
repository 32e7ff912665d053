/** The document `/openapi/v2`. Source: kube-openapi `pkg/builder`, kube-aggregator `pkg/controllers/openapi`. */
export { swaggerDocument } from './document.js';
