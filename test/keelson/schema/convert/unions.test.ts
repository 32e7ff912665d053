import { z } from 'zod';
import { convertSchema, k } from '../../../../src/keelson/schema/index.js';

const converted = (schema: z.ZodType) => convertSchema(schema, { path: 'spec', resolveBuiltin: () => undefined });

test('a rule of a variant holds while the discriminator has its value', () => {
  const disk = z.object({ type: z.literal('disk'), size: z.int32() }).check(k.rule('self.size > 0', { message: 'must have a size' }));
  const { schema, problems } = converted(z.discriminatedUnion('type', [disk, z.object({ type: z.literal('tmp') })]));
  expect(problems).toEqual([]);
  expect(schema['x-kubernetes-validations']).toContainEqual({
    rule: '!(self.type == "disk") || (self.size > 0)',
    message: 'must have a size',
  });
});

test('a rule of one literal among others is not left out', () => {
  const { problems } = converted(z.union([z.literal('a'), z.literal('b').check(k.rule('self != "c"'))]));
  expect(problems).toEqual([
    {
      path: 'spec',
      message:
        'an option of a union needs a rule (its own k.rule(), or a fraction as a bound); put k.rule("…") on the union, where it sees every value',
    },
  ]);
});

test.each([/^\d<\d$/, /^\(?=a$/, /^[(?=]a$/, /^\\k<$/])('the pattern %s looks like no back reference and no lookaround', (pattern) => {
  expect(converted(z.string().regex(pattern)).problems).toEqual([]);
});

test.each([/(a)\1/, /(?<x>a)\k<x>/, /a(?!b)/, /[[](?=b)/])('the pattern %s is refused', (pattern) => {
  expect(converted(z.string().regex(pattern)).problems).toEqual([
    { path: 'spec', message: expect.stringContaining('is not supported by RE2, which the API server uses') },
  ]);
});
