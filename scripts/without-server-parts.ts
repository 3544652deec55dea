import { basename } from 'node:path';
import type { Plugin } from 'vite';

// The properties of `endpoint({ … })` and of `DescribedParams` that only the server reads.
const endpointParts = [
  ...['summary', 'description', 'refusals', 'gate', 'reauthenticate', 'input', 'output', 'wireNames'],
];
/** Code of the web app that would read a schema of an endpoint. */
const readsSchema =
  /(?:\w+Api\.\w+|\bendpoint)\.(?:input|output)\b|\b(?:input|output)\b[^{}]*\} = \w+Api\.\w+;/;
const parameterTexts = ['description', 'examples'];

type Node = { type: string; start: number; end: number; [part: string]: unknown };
type Property = Node & { key?: { name?: string }; value: ObjectNode };
type ObjectNode = Node & { properties: Property[] };
type Program = Node & { body: Node[] };
type Cut = [start: number, end: number];
type Edit = [...Cut, instead: string];
/** A constant with a call in its value. `start` to `end` is the range of the value, `from` to `to` of the statement. */
type Constant = {
  name: string;
  isExported: boolean;
  isSchema: boolean;
  start: number;
  end: number;
  from: number;
  to: number;
};

/**
 * Removes from the browser's scripts the parts of contracts that only the server reads: the schemas of inputs and
 * outputs, the texts of the API's description, and the rules about callers. Most schemas are then unused, and the
 * bundler omits them, because the constants of the domain have no side effects. The rest, which forms use, moves from
 * each file into a separate module, `….ts?schemas`, so that a page that needs only a rule or a name does not load the
 * validation library. A form that validates with an input's schema imports the schema by its own name; the build fails
 * if a file of the web app reads `input` or `output` of an endpoint.
 */
export function withoutServerParts(): Plugin {
  return {
    name: 'without-server-parts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /src[\\/](domain|web)[\\/].*\.tsx?(\?schemas)?$/ },
      handler(code, id) {
        if (!/src[\\/]domain[\\/]/.test(id)) {
          const read = readsSchema.exec(code.replaceAll(/typeof [\w.]+/g, ''));
          if (read)
            this.error(`${id} reads ${read[0]}, which browsers don't have. Export the schema by a name.`);
          return null;
        }
        const program = this.parse(code, { lang: 'ts' }) as unknown as Program;
        const constants = findConstants(program, code);
        const schemas = /from '(?:zod|[./]+(?:text|fields)\.ts)'/.test(code)
          ? constants.filter(({ isSchema }) => isSchema)
          : [];
        const names = (isExported: boolean) =>
          schemas.filter((schema) => schema.isExported === isExported).map(({ name }) => name);
        const isOfSchemas = id.endsWith('?schemas');
        const moved = isOfSchemas ? [] : schemas;
        const isMoved = (at: number) => moved.some(({ from, to }) => at >= from && at < to);
        const edits: Edit[] = [
          ...moved.map(({ from, to }): Edit => [from, to, '']),
          ...findCuts(program).map(([start, end]): Edit => [start, end, '']),
          ...constants.flatMap(({ start, end }): Edit[] => [
            [start, start, '/* @__PURE__ */ (() => ('],
            [end, end, '))()'],
          ]),
        ].filter(
          ([start, end]) => !isMoved(start) || moved.some(({ from, to }) => from === start && to === end),
        );
        const text = edits
          .sort(([a], [b]) => b - a)
          .reduce((rest, [start, end, instead]) => rest.slice(0, start) + instead + rest.slice(end), code);
        if (schemas.length === 0) return { code: text, map: null, moduleSideEffects: false };
        const from = `from './${basename(id)}?schemas';`;
        const links = isOfSchemas
          ? `export { ${names(false).join(', ')} };`
          : `import { ${schemas.map(({ name }) => name).join(', ')} } ${from}\nexport { ${names(true).join(', ')} } ${from}`;
        return { code: `${text}\n${links}\n`, map: null, moduleSideEffects: false };
      },
    },
  };
}

/** The nodes directly inside this node. */
const innerOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((part): part is Node => typeof part === 'object' && part !== null && 'type' in part);

/** The ranges inside this node that only the server reads. `end` is exclusive; the ranges don't overlap. */
function findCuts(node: Node): Cut[] {
  const inner = innerOf(node).flatMap(findCuts);
  if (node.type === 'TSSatisfiesExpression') return findParameterTexts(node) ?? inner;
  if (node.type !== 'CallExpression') return inner;
  const callee = node.callee as Node & { name?: string; object: Node; property: { name?: string } };
  if (callee.type === 'MemberExpression' && ['meta', 'describe'].includes(callee.property.name ?? '')) {
    return [...findCuts(callee.object), [callee.object.end, node.end]];
  }
  if (callee.type !== 'Identifier' || callee.name !== 'endpoint') return inner;
  const parts = cutProperties((node.arguments as [ObjectNode])[0], endpointParts);
  return [...inner.filter(([start]) => !parts.some(([from, to]) => start >= from && start < to)), ...parts];
}

/** The range of each of these properties, up to the next property or the end of the object. */
const cutProperties = ({ properties, end }: ObjectNode, names: string[]): Cut[] =>
  properties.flatMap(({ key, start }, i): Cut[] =>
    names.includes(key?.name ?? '') ? [[start, properties[i + 1]?.start ?? end - 1]] : [],
  );

/** The ranges of the texts in `{ … } as const satisfies DescribedParams`; null for any other type. */
function findParameterTexts(node: Node): Cut[] | null {
  const { typeName } = node.typeAnnotation as { typeName?: { name?: string } };
  if (typeName?.name !== 'DescribedParams') return null;
  const { properties } = (node.expression as { expression: ObjectNode }).expression;
  return properties.flatMap(({ value }) => cutProperties(value, parameterTexts));
}

/** The constants of a module with a call in their values. */
function findConstants({ body }: Program, code: string): Constant[] {
  return body.flatMap((statement): Constant[] => {
    const isExported = statement.type === 'ExportNamedDeclaration';
    const node = isExported ? (statement.declaration as Node | null) : statement;
    if (node?.type !== 'VariableDeclaration') return [];
    const [{ id, init }] = node.declarations as [{ id: { name: string }; init: Node | null }];
    if (!init || !calls(init)) return [];
    const { start, end } = init;
    const text = code.slice(start, end);
    // Lists of names stay, unless they come from a schema.
    const isSchema = !calls(init, ['endpoint']) && (!text.startsWith('Object.') || text.includes('.shape'));
    return [{ name: id.name, isExported, isSchema, start, end, from: statement.start, to: statement.end }];
  });
}

/** True if evaluating this expression makes a call: any, or one of `names`. Bodies of functions in it don't count. */
function calls(node: Node, names?: string[]): boolean {
  if (node.type === 'CallExpression') {
    const { name, object } = node.callee as { name?: string; object?: { name?: string } };
    if (!names || names.includes(name ?? object?.name ?? '')) return true;
  }
  return !/Function/.test(node.type) && innerOf(node).some((inner) => calls(inner, names));
}
