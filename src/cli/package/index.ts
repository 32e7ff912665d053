/** `keelson package`: packages of the project in the formats that administrators install. Way in: `runPackage`. */
export { runPackage } from './package-command.js';
