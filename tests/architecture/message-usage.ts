import { type Argument, type Expression, Visitor } from "oxc-parser";
import { isCode, isTest, lineAt, parse, type Tree } from "./repository";

/** One use of a message in the code. */
export type Use = {
  at: string;
  /** Namespaces that the translator may have; undefined when unknown. */
  namespaces: string[] | undefined;
  /** Matches the possible keys, relative to the namespace; undefined when unknown. */
  key: RegExp | undefined;
  written: string;
  /** `t.has` accepts missing messages. */
  how: "text" | "raw" | "has";
  /** The names of the passed values; undefined when unknown. */
  given: string[] | undefined;
};

const MAKERS = ["useTranslations", "getTranslations", "createTranslator"];
const METHODS: Record<string, Use["how"]> = { rich: "text", markup: "text", raw: "raw", has: "has" };

type Node = Expression | Argument;

/** Removes `await`, `as …`, `satisfies …` and `!`. */
function bare(node: Node): Node {
  if (node.type === "AwaitExpression") return bare(node.argument);
  if (
    ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type) &&
    "expression" in node
  )
    return bare(node.expression as Expression);
  return node;
}

const text = (node: Node | undefined) =>
  node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;

/** The namespace of a call like `useTranslations("cart")`: "" without one, null when it is not a literal. */
function namespaceOf(node: Node): string | null | undefined {
  const call = bare(node);
  if (call.type !== "CallExpression" || call.callee.type !== "Identifier") return undefined;
  if (!MAKERS.includes(call.callee.name)) return undefined;
  const [first] = call.arguments;
  if (!first) return "";
  if (first.type !== "ObjectExpression") return text(first) ?? null;
  const property = first.properties.find(
    (p) => p.type === "Property" && p.key.type === "Identifier" && p.key.name === "namespace",
  );
  if (!property) return "";
  return (property.type === "Property" && text(property.value)) || null;
}

const escaped = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Patterns of the possible keys of an argument, or undefined. Placeholders of a template match any text. */
function keysOf(node: Node | undefined): RegExp[] | undefined {
  if (!node) return undefined;
  const plain = bare(node);
  if (text(plain) !== undefined) return [new RegExp(`^${escaped(text(plain) ?? "")}$`)];
  if (plain.type === "TemplateLiteral") {
    const parts = plain.quasis.map(({ value }) => escaped(value.cooked ?? value.raw));
    return parts.join("") === "" ? undefined : [new RegExp(`^${parts.join(".+")}$`)];
  }
  if (plain.type !== "ConditionalExpression") return undefined;
  const [yes, no] = [keysOf(plain.consequent), keysOf(plain.alternate)];
  return yes && no && [...yes, ...no];
}

/** The names in `{ count: 1, when }`; empty without an argument. */
function namesIn(node: Node | undefined): string[] | undefined {
  if (!node) return [];
  const plain = bare(node);
  if (plain.type !== "ObjectExpression") return undefined;
  const names = plain.properties.map((property) => {
    if (property.type !== "Property" || property.computed) return undefined;
    return property.key.type === "Identifier" ? property.key.name : text(property.key as Expression);
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** Every call of a translator in the code. Translators are identified by variable name within a file. */
export function usesOf(tree: Tree): Use[] {
  return tree.files.filter((path) => isCode(path) && !isTest(path)).flatMap((path) => usesIn(tree, path));
}

function usesIn(tree: Tree, path: string): Use[] {
  const { program } = parse(tree, path);
  const translators = new Map<string, (string | null)[]>();
  const know = (name: string, namespace: string | null | undefined) => {
    if (namespace !== undefined) translators.set(name, [...(translators.get(name) ?? []), namespace]);
  };
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (!init) return;
      if (id.type === "Identifier") know(id.name, namespaceOf(init));
      const all = bare(init);
      if (
        id.type !== "ArrayPattern" ||
        all.type !== "CallExpression" ||
        all.arguments[0]?.type !== "ArrayExpression"
      )
        return;
      const values = all.arguments[0].elements;
      id.elements.forEach((element, i) => {
        const value = values[i];
        if (element?.type === "Identifier" && value) know(element.name, namespaceOf(value));
      });
    },
  }).visit(program);

  const uses: Use[] = [];
  new Visitor({
    CallExpression(call) {
      const target = targetOf(bare(call.callee), translators);
      if (!target) return;
      const [first, second] = call.arguments;
      const given = namesIn(second);
      const at = `${path}:${lineAt(tree, path, call.start)}`;
      const written = first ? tree.read(path).slice(first.start, first.end) : "";
      for (const key of keysOf(first) ?? [undefined]) uses.push({ at, key, written, given, ...target });
    },
  }).visit(program);
  return uses;
}

type Target = Pick<Use, "namespaces" | "how">;

function targetOf(callee: Node, translators: Map<string, (string | null)[]>): Target | undefined {
  const direct = namespaceOf(callee);
  if (direct !== undefined) return { namespaces: direct === null ? undefined : [direct], how: "text" };
  if (callee.type === "Identifier") {
    const known = translators.get(callee.name);
    if (!known && callee.name !== "t") return undefined;
    return { namespaces: written(known), how: "text" };
  }
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return undefined;
  const { object, property } = callee;
  if (property.name === "t") return { namespaces: undefined, how: "text" };
  const how = METHODS[property.name];
  if (!how || object.type !== "Identifier") return undefined;
  const known = translators.get(object.name);
  return known || object.name === "t" ? { namespaces: written(known), how } : undefined;
}

const written = (known: (string | null)[] | undefined) =>
  known?.every((namespace) => namespace !== null) ? (known as string[]) : undefined;

/** Literals and templates with a dot anywhere in the code: keys in tables and variables. */
export function dottedTexts(tree: Tree): RegExp[] {
  const found = new Map<string, RegExp>();
  for (const path of tree.files.filter((file) => isCode(file) && !isTest(file)))
    new Visitor({
      Literal({ value }) {
        if (typeof value === "string" && /^[\w-]+(\.[\w-]+)+$/.test(value))
          found.set(value, new RegExp(`(^|\\.)${escaped(value)}$`));
      },
      TemplateLiteral({ quasis }) {
        const parts = quasis.map(({ value }) => value.raw);
        if (
          quasis.length > 1 &&
          parts.every((part) => /^[\w.-]*$/.test(part)) &&
          /\w\.|\.\w/.test(parts.join(""))
        )
          found.set(parts.join("*"), new RegExp(`(^|\\.)${parts.map(escaped).join(".+")}$`));
      },
    }).visit(parse(tree, path).program);
  return [...found.values()];
}
