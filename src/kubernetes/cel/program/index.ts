/** A checked expression as a program that evaluates within a budget. */
export { type CelProgram, type CompileOptions, type CompileResult, compile, type EvaluateOptions } from './compile.js';
export { usableMessage } from './message.js';
