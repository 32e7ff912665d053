import { z } from 'zod';
import { settings } from '../settings-package.js';

describe('values that no chart can have are refused, with the place', () => {
  test.each([
    ['a value without default', { region: z.string() }, /values\.region: has no default/],
    ['a name that templates cannot say', { 'my-region': z.string().default('') }, /values\.my-region: write the name in lowerCamelCase/],
    ['the name of Helm', { global: z.string().default('') }, /values\.global: Helm hands this name to all charts/],
    ['a union', { x: z.union([z.string(), z.int()]).default('') }, /values\.x: is neither a text, a number/],
    ['a default that the schema refuses', { x: z.string().min(3).default('a') }, /values\.x: .*\(by default\)/],
    ['a schema that changes values', { x: z.string().trim().default(' a ') }, /the schema changes what it is given/],
  ])('%s', (_name, shape, message) => {
    expect(() => settings(z.object(shape), () => ({}))).toThrow(message);
  });
});
