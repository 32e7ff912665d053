/** Made-up values that fit a structural schema. The way in is {@link Sampler}. */
export { type Fullness, Sampler } from './samples.js';
