/** Compares the schemas that the API server serves with those of the operator's definitions. */
export { missingFields } from './missing-fields.js';
export { SchemaReview, type SchemaReviewObserver, type SchemaReviewOptions } from './schema-review.js';
