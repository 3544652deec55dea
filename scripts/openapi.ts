import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describeProduct } from '#server/api-description.ts';
import { placeholder } from '#server/platform/openapi/json-schema.ts';

// Checks that the API description passes Redocly's recommended rules and Spectral's `oas` rules without warnings, that
// every call and parameter has a description, and that every text has an example.
const document = describeProduct({ brand: 'Example', publicUrl: 'https://sports.example' });
const source = JSON.stringify(document);

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    'operation-description': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
  },
});
const redocly = await lintFromString({ source, config });
const spectral = new Spectral();
spectral.setRuleset({ extends: [[oas as never, 'recommended']] });
const problems = [
  ...redocly.map(
    ({ ruleId, message, location }) => `${location[0]?.pointer} ${message} (Redocly: ${ruleId})`,
  ),
  ...(await spectral.run(source)).map(
    ({ code, message, path }) => `${path.join('.')} ${message} (Spectral: ${code})`,
  ),
  ...findPlaceholders(document).map(
    (path) => `${path} has no example: give its schema \`.meta({ examples: […] })\``,
  ),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

/** The paths of texts in example bodies and parameters that are still placeholders. */
function findPlaceholders(value: unknown, path = '', isExample = false): string[] {
  if (value === placeholder && isExample) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    findPlaceholders(inner, `${path}.${name}`, isExample || name === 'example'),
  );
}
