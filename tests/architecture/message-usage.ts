import { type Argument, type Expression, Visitor } from "oxc-parser";
import { isCode, isTest, lineNumber, parse, type Repository } from "./repository";

/** One use of a message in the code. */
export type MessageUse = {
  location: string;
  /** Namespaces that the translator may have; undefined when unknown. */
  namespaces: string[] | undefined;
  /** Matches the possible keys, relative to the namespace; undefined when unknown. */
  key: RegExp | undefined;
  source: string;
  /** `t.has` accepts missing messages. */
  access: "text" | "raw" | "has";
  /** The names of the passed values; undefined when unknown. */
  passedValues: string[] | undefined;
};

const TRANSLATOR_FACTORIES = [
  "useTranslations",
  "getTranslations",
  "createTranslator",
  "consoleTranslations",
];
const METHODS: Record<string, MessageUse["access"]> = {
  rich: "text",
  markup: "text",
  raw: "raw",
  has: "has",
};

type Node = Expression | Argument;

/** Removes `await`, `as …`, `satisfies …` and `!`. */
function unwrap(node: Node): Node {
  if (node.type === "AwaitExpression") return unwrap(node.argument);
  if (
    ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(node.type) &&
    "expression" in node
  )
    return unwrap(node.expression as Expression);
  return node;
}

const literalText = (node: Node | undefined) =>
  node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined;

/** The namespace of a call like `useTranslations("cart")`: "" without one, null when it is not a literal. */
function readNamespace(node: Node): string | null | undefined {
  const call = unwrap(node);
  if (call.type !== "CallExpression" || call.callee.type !== "Identifier") return undefined;
  if (!TRANSLATOR_FACTORIES.includes(call.callee.name)) return undefined;
  const [first] = call.arguments;
  if (!first) return "";
  if (first.type !== "ObjectExpression") return literalText(first) ?? null;
  const property = first.properties.find(
    (p) => p.type === "Property" && p.key.type === "Identifier" && p.key.name === "namespace",
  );
  if (!property) return "";
  return (property.type === "Property" && literalText(property.value)) || null;
}

const escapeRegExp = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Patterns of the possible keys of an argument, or undefined. Placeholders of a template match any text. */
function keyPatterns(node: Node | undefined): RegExp[] | undefined {
  if (!node) return undefined;
  const unwrapped = unwrap(node);
  if (literalText(unwrapped) !== undefined)
    return [new RegExp(`^${escapeRegExp(literalText(unwrapped) ?? "")}$`)];
  if (unwrapped.type === "TemplateLiteral") {
    const parts = unwrapped.quasis.map(({ value }) => escapeRegExp(value.cooked ?? value.raw));
    return parts.join("") === "" ? undefined : [new RegExp(`^${parts.join(".+")}$`)];
  }
  if (unwrapped.type !== "ConditionalExpression") return undefined;
  const [yes, no] = [keyPatterns(unwrapped.consequent), keyPatterns(unwrapped.alternate)];
  return yes && no && [...yes, ...no];
}

/** The names in `{ count: 1, when }`; empty without an argument. */
function propertyNames(node: Node | undefined): string[] | undefined {
  if (!node) return [];
  const unwrapped = unwrap(node);
  if (unwrapped.type !== "ObjectExpression") return undefined;
  const names = unwrapped.properties.map((property) => {
    if (property.type !== "Property" || property.computed) return undefined;
    return property.key.type === "Identifier" ? property.key.name : literalText(property.key as Expression);
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}

const usesByRepository = new WeakMap<Repository, MessageUse[]>();

/** Every call of a translator in the code. Translators are identified by variable name within a file. */
export function listMessageUses(repo: Repository): MessageUse[] {
  const uses =
    usesByRepository.get(repo) ??
    repo.files
      .filter((path) => isCode(path) && !isTest(path) && /\bt\b|translat/i.test(repo.read(path)))
      .flatMap((path) => readMessageUses(repo, path));
  usesByRepository.set(repo, uses);
  return uses;
}

function readMessageUses(repo: Repository, path: string): MessageUse[] {
  const { program } = parse(repo, path);
  const translators = new Map<string, (string | null)[]>();
  const addTranslator = (name: string, namespace: string | null | undefined) => {
    if (namespace !== undefined) translators.set(name, [...(translators.get(name) ?? []), namespace]);
  };
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (!init) return;
      if (id.type === "Identifier") addTranslator(id.name, readNamespace(init));
      const call = unwrap(init);
      if (
        id.type !== "ArrayPattern" ||
        call.type !== "CallExpression" ||
        call.arguments[0]?.type !== "ArrayExpression"
      )
        return;
      const values = call.arguments[0].elements;
      id.elements.forEach((element, i) => {
        const value = values[i];
        if (element?.type === "Identifier" && value) addTranslator(element.name, readNamespace(value));
      });
    },
  }).visit(program);

  const uses: MessageUse[] = [];
  new Visitor({
    CallExpression(call) {
      const target = findTarget(unwrap(call.callee), translators);
      if (!target) return;
      const [first, second] = call.arguments;
      const passedValues = propertyNames(second);
      const location = `${path}:${lineNumber(repo, path, call.start)}`;
      const source = first ? repo.read(path).slice(first.start, first.end) : "";
      for (const key of keyPatterns(first) ?? [undefined])
        uses.push({ location, key, source, passedValues, ...target });
    },
  }).visit(program);
  return uses;
}

type Target = Pick<MessageUse, "namespaces" | "access">;

function findTarget(callee: Node, translators: Map<string, (string | null)[]>): Target | undefined {
  const direct = readNamespace(callee);
  if (direct !== undefined) return { namespaces: direct === null ? undefined : [direct], access: "text" };
  if (callee.type === "Identifier") {
    const namespaces = translators.get(callee.name);
    if (!namespaces && callee.name !== "t") return undefined;
    return { namespaces: definiteNamespaces(namespaces), access: "text" };
  }
  if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return undefined;
  const { object, property } = callee;
  if (property.name === "t") return { namespaces: undefined, access: "text" };
  const access = METHODS[property.name];
  if (!access || object.type !== "Identifier") return undefined;
  const namespaces = translators.get(object.name);
  return namespaces || object.name === "t"
    ? { namespaces: definiteNamespaces(namespaces), access }
    : undefined;
}

const definiteNamespaces = (namespaces: (string | null)[] | undefined) =>
  namespaces?.every((namespace) => namespace !== null) ? (namespaces as string[]) : undefined;

/** Literals and templates with a dot anywhere in the code: keys in tables and variables. */
export function listDottedTexts(repo: Repository): RegExp[] {
  const found = new Map<string, RegExp>();
  for (const path of repo.files.filter((file) => isCode(file) && !isTest(file)))
    new Visitor({
      Literal({ value }) {
        if (typeof value === "string" && /^[\w-]+(\.[\w-]+)+$/.test(value))
          found.set(value, new RegExp(`(^|\\.)${escapeRegExp(value)}$`));
      },
      TemplateLiteral({ quasis }) {
        const parts = quasis.map(({ value }) => value.raw);
        if (
          quasis.length > 1 &&
          parts.every((part) => /^[\w.-]*$/.test(part)) &&
          /\w\.|\.\w/.test(parts.join(""))
        )
          found.set(parts.join("*"), new RegExp(`(^|\\.)${parts.map(escapeRegExp).join(".+")}$`));
      },
    }).visit(parse(repo, path).program);
  return [...found.values()];
}
