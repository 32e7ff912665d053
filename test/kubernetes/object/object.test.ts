import { goTypes } from '../../../imports/go-types/table.js';
import { METADATA_FIELDS } from '../../../src/kubernetes/apimachinery/index.js';

test('the fields of metadata are those of the Go type, in its order', () => {
  const fields = goTypes()
    ['meta/v1.ObjectMeta']?.split(';')
    .map((field) => field.split(' ', 1)[0]);
  expect(METADATA_FIELDS).toEqual(fields);
});
