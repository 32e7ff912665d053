export { podSecurity } from './pod-security.js';
