import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '#server/platform/package-root.ts';
import { findRetiredWords, readGlossary } from './words.ts';

const glossary = readGlossary(readFileSync(join(packageRoot, 'docs', 'glossary.md'), 'utf8'));
const brand = 'Example Club';
const find = (path: string, text: string) => findRetiredWords([{ path, text }], glossary, brand);
const camel = (phrase: string) => phrase.replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

test.each(glossary.retired.map(({ word }) => word))(
  'finds "%s" in an identifier, a SQL name and a file name',
  (word) => {
    const name = `my${camel(` ${word}`)}Ones`;
    const plantings = [
      find('src/server/a.ts', `export const ${name} = 1;\n`),
      find('src/web/a.tsx', `export const view = <p title={item.${name}} />;\n`),
      find('migrations/0001_a.sql', `create table my_${word.replaceAll(' ', '_')}_ones ();\n`),
      find(`src/server/my-${word.replaceAll(' ', '-')}-ones.ts`, 'export {};\n'),
    ];
    for (const problems of plantings) expect(problems.join()).toContain(`"${word}" is retired`);
  },
);

test.each(glossary.retired.filter(({ isForNamesOnly }) => !isForNamesOnly).map(({ word }) => word))(
  'finds "%s" in comments, strings, titles and documents',
  (word) => {
    const sentence = `This is ${word} for a test.`;
    for (const problems of [
      find('src/a.ts', `// ${sentence}\nexport {};\n`),
      find('src/a.tsx', `export const text = '${sentence}';\n`),
      find('src/a.tsx', `export const text = <p>${sentence}</p>;\n`),
      find('e2e/a.spec.ts', `test('${sentence}', () => {});\n`),
      find('docs/a.md', `${sentence}\n`),
    ]) {
      expect(problems.join()).toContain(`"${word}" is retired`);
    }
  },
);

test('finds the brand in sources, even in lower case, and names the line', () => {
  for (const path of ['src/a.ts', 'migrations/0001_a.sql', 'index.html', 'deploy/a.yml', '.env.example']) {
    expect(find(path, '\n\n// the example club says no\n')).toEqual([
      expect.stringContaining(`${path}:3: the brand`),
    ]);
  }
  expect(find('README.md', 'The Example Club')).toEqual([]);
});

test('accepts exceptions, longer words and, in prose, words retired only in names', () => {
  const text =
    "// A place in a sentence. The mail server is down.\nexport const placeholder = { inPlace: 'blower' };\n";
  expect(find('src/a.ts', text)).toEqual([]);
});

test('refuses a glossary that retires no words', () => {
  expect(() => readGlossary('# Glossary\n')).toThrow('retires no word');
});
