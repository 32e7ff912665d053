/** The parts of src/schema that check a sample; from their own modules, because the folder's door loads zod. */
export { applyDefaults } from '../schema/apply-defaults.js';
export { prune } from '../schema/prune.js';
export { validate } from '../schema/validate/validator.js';
