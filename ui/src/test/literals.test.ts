import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { expect, it } from "vitest";

type Node = { type: string } & Record<string, unknown>;

/** Attributes that are seen or read out. */
const spoken = new Set([
  "alt",
  "label",
  "legend",
  "placeholder",
  "title",
  "aria-label",
  "aria-valuetext",
  "hint",
  "name",
]);
/** On fields, `name` is no text. */
const unspokenName = new Set(["input", "Tool"]);

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/** Every string with a word in it that would be shown from `node` down without having a key. */
function literals(node: Node, shown: boolean): string[] {
  const below = (child: unknown, childShown: boolean): string[] =>
    Array.isArray(child)
      ? child.flatMap((one) => below(one, childShown))
      : isNode(child)
        ? literals(child, childShown)
        : [];
  const all = (childShown: boolean) => Object.values(node).flatMap((child) => below(child, childShown));
  switch (node.type) {
    case "JSXText":
      return worded(node.value);
    case "Literal":
      return shown ? worded(node.value) : [];
    case "TemplateElement":
      return shown ? worded((node.value as { cooked: unknown }).cooked) : [];
    case "JSXElement":
      return [...below(node.openingElement, false), ...below(node.children, true)];
    case "JSXOpeningElement": {
      const element = (node.name as { name?: string }).name ?? "";
      return (node.attributes as Node[]).flatMap((attribute) => {
        const name = (attribute.name as { name?: unknown } | undefined)?.name;
        const isSpoken =
          typeof name === "string" && spoken.has(name) && !(name === "name" && unspokenName.has(element));
        return literals(attribute, isSpoken);
      });
    }
    // What is passed to a function, compared, or looked up by is not what is shown.
    case "CallExpression":
    case "BinaryExpression":
    case "MemberExpression":
    case "ArrowFunctionExpression":
      return all(false);
    case "ConditionalExpression":
      return [...below(node.test, false), ...below(node.consequent, shown), ...below(node.alternate, shown)];
    case "LogicalExpression":
      return [...below(node.left, shown && node.operator !== "&&"), ...below(node.right, shown)];
    default:
      return all(shown);
  }
}

function worded(value: unknown): string[] {
  return typeof value === "string" && /\p{L}{2}/u.test(value) ? [value.trim()] : [];
}

const components = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx") && !file.startsWith("test/"))
  .sort();

it("sees a literal in whichever place it would be shown", () => {
  const source =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a template in the source that is read
    "const Part = () => <p title='One one' className='x'>Two two {`Three ${1}`} {is ? 'Four' : t('key')}" +
    "{list.map((it) => <b key='no'>Five</b>)}</p>;";
  expect(literals(parseAst(source, { lang: "tsx" }) as unknown as Node, false)).toEqual([
    "One one",
    "Two two",
    "Three",
    "Four",
    "Five",
  ]);
});

it("no component shows a string that has no key", () => {
  const found = components.flatMap((file) =>
    literals(parseAst(readFileSync(join("src", file), "utf8"), { lang: "tsx" }) as unknown as Node, false).map(
      (literal) => `${file}: ${literal}`,
    ),
  );
  expect(components.length).toBeGreaterThan(50);
  expect(found).toEqual([]);
});
