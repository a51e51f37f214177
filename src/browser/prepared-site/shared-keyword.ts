/** Lets Ajv call the function of a shared part, whose errors name a rule as if the part stood where it is used. */
import { _, Name, type Ajv2020, type KeywordCxt } from 'ajv/dist/2020.js';
import { strConcat } from 'ajv/dist/compile/codegen/index.js';
import { sharedKeyword, type PartUse } from './share-schemas.ts';

const [instancePath, rootData, vErrors, errors, rulePath] = (
  ['instancePath', 'rootData', 'vErrors', 'errors', 'rulePath'] as const
).map((name) => new Name(name)) as [Name, Name, Name, Name, Name]; // as many as above

/** The parts must have been added to Ajv by their keys. */
export const addSharedKeyword = (ajv: Ajv2020): void => {
  ajv.addKeyword({ keyword: sharedKeyword, schemaType: 'object', code: (part) => callPart(ajv, part) });
};

/** As Ajv calls the function of a reference, and says where in the whole schema that is. */
const callPart = (ajv: Ajv2020, part: KeywordCxt): void => {
  const { gen, it, data } = part;
  const { key, path } = part.schema as PartUse; // as `shareSchemas` wrote it
  const validate = gen.scopeValue('validate', { ref: ajv.getSchema(key) });
  const place = gen.object(
    [instancePath, strConcat(instancePath, it.errorPath)],
    [new Name('parentData'), it.parentData],
    [new Name('parentDataProperty'), it.parentDataProperty],
    [rootData, rootData],
    // `withSharedPaths` leaves the second alone: it begins with no quotation mark.
    [rulePath, path === undefined ? it.errSchemaPath : _`(${path})`],
  );
  part.result(_`${validate}(${data}, ${place})`, undefined, () => {
    const found = _`${validate}.errors`;
    gen.assign(vErrors, _`${vErrors} === null ? ${found} : ${vErrors}.concat(${found})`);
    gen.assign(errors, _`${vErrors}.length`);
  });
};

/** The text of Ajv's functions, which take the path that `callPart` gives them. Without it a path begins with `#`. */
export const withSharedPaths = (text: string): string =>
  text
    .replaceAll('{instancePath="", parentData,', '{instancePath="", rulePath="#", parentData,')
    // No text in the code has these words: a quotation mark there has a backslash before it.
    .replaceAll(/\b(schemaPath|rulePath):"#/g, '$1:rulePath+"');
