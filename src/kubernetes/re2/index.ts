/** Regular expressions as Go reads them. They are apart from `apimachinery`, since they load a package, which most of its users do not need. */
export { compileGoPattern, type GoPattern } from './go-pattern.js';
