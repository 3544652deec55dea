import type { Plugin } from 'vite';

// The properties of `endpoint({ … })` and of `DescribedParams` that only the description of the API uses.
const endpointTexts = ['summary', 'description', 'refusals'];
const parameterTexts = ['description', 'examples'];

type Node = { type: string; start: number; end: number; [part: string]: unknown };
type Property = Node & { key: { name?: string }; value: ObjectNode };
type ObjectNode = Node & { properties: Property[] };

/**
 * Leaves the texts of the API's description out of the scripts that browsers load: `.meta(…)` and `.describe(…)` of
 * schemas, and the texts of endpoints and parameters. Only the server reads them.
 */
export function withoutApiTexts(): Plugin {
  return {
    name: 'without-api-texts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /src[\\/]domain[\\/].*\.ts$/, code: /\.(meta|describe)\(|endpoint\(|DescribedParams/ },
      handler(code) {
        const program = this.parse(code, { lang: 'ts' }) as unknown as Node;
        const fromLast = findTexts(program).sort(([a], [b]) => b - a);
        const kept = fromLast.reduce((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), code);
        return { code: kept, map: null };
      },
    },
  };
}

/** The ranges of the texts in this source; `end` is exclusive, and none overlap. */
function findTexts(node: Node): [start: number, end: number][] {
  const inner = Object.values(node)
    .flat()
    .filter((part): part is Node => typeof part === 'object' && part !== null && 'type' in part)
    .flatMap(findTexts);
  if (node.type === 'TSSatisfiesExpression') return findParameterTexts(node) ?? inner;
  if (node.type !== 'CallExpression') return inner;
  const callee = node.callee as Node & { name?: string; object: Node; property: { name?: string } };
  if (callee.type === 'MemberExpression' && ['meta', 'describe'].includes(callee.property.name ?? '')) {
    return [...findTexts(callee.object), [callee.object.end, node.end]];
  }
  if (callee.type !== 'Identifier' || callee.name !== 'endpoint') return inner;
  const texts = cutProperties((node.arguments as [ObjectNode])[0], endpointTexts);
  return [...inner.filter(([start]) => !texts.some(([from, to]) => start >= from && start < to)), ...texts];
}

/** The range of each of these properties, up to the next property or the end of the object. */
const cutProperties = ({ properties, end }: ObjectNode, names: string[]): [number, number][] =>
  properties.flatMap(({ key, start }, i): [number, number][] =>
    names.includes(key.name ?? '') ? [[start, properties[i + 1]?.start ?? end - 1]] : [],
  );

/** The ranges of the texts in `{ … } as const satisfies DescribedParams`; null for any other type. */
function findParameterTexts(node: Node): [number, number][] | null {
  const { typeName } = node.typeAnnotation as { typeName?: { name?: string } };
  if (typeName?.name !== 'DescribedParams') return null;
  const { properties } = (node.expression as { expression: ObjectNode }).expression;
  return properties.flatMap(({ value }) => cutProperties(value, parameterTexts));
}
