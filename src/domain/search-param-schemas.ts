import { z } from 'zod';
import { isoDate } from './period.ts';
import {
  type DescribedParams,
  monthPattern,
  type SearchParam,
  type SearchParams,
  type ValueOf,
} from './search-params.ts';

type SchemaOf<Param extends SearchParam> = z.ZodOptional<z.ZodType<ValueOf<Param>, ValueOf<Param>>>;

/** The fields of a contract's input for these parameters, each of them optional. */
export function schemasOf<Params extends SearchParams>(params: Params) {
  const fields = Object.entries(params).map(([name, param]) => {
    const { description, examples = [] } = param as Partial<DescribedParams[string]>;
    return [
      name,
      schemaOf(param)
        .optional()
        .meta({ description, examples: [...examples] }),
    ];
  });
  return Object.fromEntries(fields) as { [Name in keyof Params]: SchemaOf<Params[Name]> };
}

function schemaOf(param: SearchParam): z.ZodType {
  if ('of' in param) return z.enum(param.of);
  if ('maxLength' in param)
    return z.string().trim().max(param.maxLength, `Enter at most ${param.maxLength} characters.`);
  if (param.is === 'date') return isoDate;
  if (param.is === 'month') return z.string().regex(monthPattern, 'Enter the month in the format 2016-05.');
  if (param.is === 'uuid') return z.uuid('Enter the id in the format 3f2504e0-4f89-41d3-9a0c-0305e82c3301.');
  return z.literal(['true', true]).transform(() => true);
}
