import { type Argument, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { ERRORS } from "@/lib/platform/errors";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { catalogueOf } from "./message-catalog";
import { reach } from "./imports";
import { check, expectNone, isCode, lineAt, parse, repository, type Tree } from "./repository";

const TABLE = "lib/platform/errors.ts";
/** Errors that any call may return and none declares (same list in lib/platform/api/request-log.ts). */
const UNDECLARED = [
  "invalid_input",
  "session_required",
  "session_ended",
  "wrong_actor",
  "staff_only",
  "cross_origin",
  "system_error",
];

/** Messages without an error code. */
const WITHOUT_CODE: Record<string, string> = {
  none: "the message of a success",
  network: "no response (docs/product.md#92-messages)",
};

type Entry = { status: number; code: string; message: string };

function tableProblems(table: Record<string, Entry>, tree: Tree): string[] {
  return Object.entries(table).flatMap(([name, { status, code, message }]) => [
    ...(/^[4-5]\d\d(\d\d)?$/.test(code)
      ? []
      : [`${TABLE}: ${name} has the code ${code}: three or five digits from 4 or 5`]),
    ...(status === Number(code.slice(0, 3))
      ? []
      : [`${TABLE}: ${name} has status ${status}, but code ${code}`]),
    ...(message === `errors.${name}`
      ? []
      : [`${TABLE}: the message of ${name} is errors.${name}, not ${message}`]),
    ...LOCALES.filter((locale) => !(`errors.${name}` in catalogueOf(tree, locale))).map(
      (locale) => `messages/${locale}.json lacks errors.${name}`,
    ),
  ]);
}

const unknownMessages = (table: Record<string, Entry>, tree: Tree) =>
  Object.keys(catalogueOf(tree, "en"))
    .filter((key) => key.startsWith("errors.") && !(key.slice(7) in table) && !(key.slice(7) in WITHOUT_CODE))
    .map((key) => `messages: ${key} belongs to no error of ${TABLE}`);

type Thrown = { name: string; path: string; line: number };

/** Names in `new ShopError("…")`, including both branches of a conditional; names in variables are not resolved. */
function thrownIn(tree: Tree, path: string): Thrown[] {
  const found: Thrown[] = [];
  const take = (node: Argument | undefined): void => {
    if (node?.type === "ConditionalExpression")
      for (const arm of [node.consequent, node.alternate]) take(arm);
    if (node?.type === "Literal" && typeof node.value === "string")
      found.push({ name: node.value, path, line: lineAt(tree, path, node.start) });
  };
  new Visitor({
    NewExpression({ callee, arguments: [first] }) {
      if (callee.type === "Identifier" && callee.name === "ShopError") take(first);
    },
  }).visit(parse(tree, path).program);
  return found;
}

/** The names in `errors: […]` of a route file's declarations. */
function declaredIn(tree: Tree, path: string): string[] {
  const names: string[] = [];
  new Visitor({
    Property({ key, value }) {
      if (key.type !== "Identifier" || key.name !== "errors" || value.type !== "ArrayExpression") return;
      for (const item of value.elements)
        if (item?.type === "Literal" && typeof item.value === "string") names.push(item.value);
    },
  }).visit(parse(tree, path).program);
  return names;
}

function textsIn(tree: Tree, path: string): Set<string> {
  const texts = new Set<string>();
  new Visitor({
    Literal({ value }) {
      if (typeof value === "string") texts.add(value);
    },
  }).visit(parse(tree, path).program);
  return texts;
}

const routes = (tree: Tree) => tree.files.filter((path) => /^app\/api\/.*route\.ts$/.test(path));
const reachable = (tree: Tree, path: string) =>
  [...reach(tree, [path])].filter((file) => isCode(file) && tree.files.includes(file));

/** Declared errors whose name occurs in no file that the route reaches. */
function neverGiven(tree: Tree): string[] {
  return routes(tree).flatMap((route) => {
    const behind = reachable(tree, route).filter((file) => file !== TABLE && file !== route);
    const said = new Set(behind.flatMap((file) => [...textsIn(tree, file)]));
    for (const { name } of thrownIn(tree, route)) said.add(name);
    return declaredIn(tree, route)
      .filter((name) => !said.has(name))
      .map((name) => `${route}: declares ${name}, which no file that it reaches contains`);
  });
}

/** Thrown errors of a noun that no call reaching the file declares. */
function neverDeclared(tree: Tree): string[] {
  const calls = routes(tree).map((route) => ({
    files: new Set(reachable(tree, route)),
    names: declaredIn(tree, route),
  }));
  return tree.files
    .filter((path) => /^lib\/(?!platform\/)[^/]+\/.*\.ts$/.test(path))
    .flatMap((path) => thrownIn(tree, path))
    .filter(({ name, path }) => {
      const near = calls.filter(({ files }) => files.has(path));
      return near.length > 0 && !UNDECLARED.includes(name) && !near.some(({ names }) => names.includes(name));
    })
    .map(({ name, path, line }) => `${path}:${line}: no call that reaches this declares ${name}`);
}

describe("error table", () => {
  it("every entry has the status of its code and a message in three languages", () =>
    expectNone("table", tableProblems(ERRORS, repository)));
  it("every error message has an entry", () =>
    expectNone("messages", unknownMessages(ERRORS, repository)));

  it("the checks report wrong entries", () => {
    const tree = { ...repository, files: ["messages/en.json"], read: () => '{"errors":{"b":"B"}}' };
    const table = { a: { status: 400, code: "40901", message: "errors.b" } };
    expect(tableProblems(table, tree).join("\n")).toMatch(
      /has status 400(.|\n)*not errors\.b(.|\n)*en\.json lacks errors\.a(.|\n)*ja\.json lacks/,
    );
    expect(unknownMessages(table, tree)).toEqual([`messages: errors.b belongs to no error of ${TABLE}`]);
  });

  check("a call declares only errors that it can return", neverGiven);
  check("every error that a noun throws is declared by a call", neverDeclared);
});
