export { admissionObject, expressions, ourAdmissionProblems, placesOf } from './admission.js';
export { manifestOf, ourProblems, type Variant } from './variant.js';
export { variants } from './variants.js';
