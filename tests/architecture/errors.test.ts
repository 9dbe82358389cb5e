import { type Argument, Visitor } from "oxc-parser";
import { describe, expect, it } from "vitest";
import {
  CART_COUPON_ERRORS,
  CODE_ERRORS,
  COUPON_ERRORS,
  ERRORS,
  REGISTRATION_ERRORS,
} from "@/lib/platform/errors";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { reachableFiles } from "./imports";
import { readMessages } from "./message-catalog";
import {
  check,
  expectNone,
  isCode,
  isFile,
  lineNumber,
  parse,
  type Repository,
  repository,
} from "./repository";

const TABLE = "lib/platform/errors.ts";
/** Errors that any call may return and none declares (same list in lib/platform/api/request-log.ts). */
const UNDECLARED = [
  "invalid_input",
  "session_required",
  "session_ended",
  "wrong_actor",
  "call_unknown",
  "second_factor_required",
  "permission_missing",
  "cross_origin",
  "system_error",
];

/** Messages without an error code. */
const WITHOUT_CODE: Record<string, string> = {
  none: "the message of a success",
  network: "no response (docs/product.md#92-messages)",
};

type Entry = { status: number; code: string; message: string };

function tableProblems(table: Record<string, Entry>, repo: Repository): string[] {
  const messages = LOCALES.map((locale) => ({ locale, texts: readMessages(repo, locale) }));
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
    ...messages
      .filter(({ texts }) => !(`errors.${name}` in texts))
      .map(({ locale }) => `messages/${locale}.json lacks errors.${name}`),
  ]);
}

const unknownMessages = (table: Record<string, Entry>, repo: Repository) =>
  Object.keys(readMessages(repo, "en"))
    .filter((key) => key.startsWith("errors.") && !(key.slice(7) in table) && !(key.slice(7) in WITHOUT_CODE))
    .map((key) => `messages: ${key} belongs to no error of ${TABLE}`);

type Thrown = { name: string; path: string; line: number };

/** Names in `new ShopError("…")`, including both branches of a conditional; names in variables are not resolved. */
function findThrown(repo: Repository, path: string): Thrown[] {
  const found: Thrown[] = [];
  if (!repo.read(path).includes("ShopError")) return found;
  const addNames = (node: Argument | undefined): void => {
    if (node?.type === "ConditionalExpression")
      for (const branch of [node.consequent, node.alternate]) addNames(branch);
    if (node?.type === "Literal" && typeof node.value === "string")
      found.push({ name: node.value, path, line: lineNumber(repo, path, node.start) });
  };
  new Visitor({
    NewExpression({ callee, arguments: [first] }) {
      if (callee.type === "Identifier" && callee.name === "ShopError") addNames(first);
    },
  }).visit(parse(repo, path).program);
  return found;
}

/** The lists that declarations spread. */
const LISTS: Record<string, readonly string[]> = {
  CART_COUPON_ERRORS,
  CODE_ERRORS,
  COUPON_ERRORS,
  REGISTRATION_ERRORS,
};

/** The names in `errors: […]` of a route file's declarations, those of spread lists included, and what `approval` and `texts` add. */
function findDeclared(repo: Repository, path: string): string[] {
  const names: string[] = [];
  new Visitor({
    Property({ key, value }) {
      if (key.type === "Identifier" && key.name === "approval") names.push("approval_required");
      if (key.type === "Identifier" && key.name === "texts") names.push("note_has_code");
      if (key.type !== "Identifier" || key.name !== "errors" || value.type !== "ArrayExpression") return;
      for (const item of value.elements) {
        if (item?.type === "Literal" && typeof item.value === "string") names.push(item.value);
        if (item?.type === "SpreadElement" && item.argument.type === "Identifier")
          names.push(...(LISTS[item.argument.name] ?? []));
      }
    },
  }).visit(parse(repo, path).program);
  return names;
}

const literals = new Map<string, Set<string>>();

function collectLiterals(repo: Repository, path: string): Set<string> {
  const texts = literals.get(path) ?? new Set<string>();
  if (literals.has(path)) return texts;
  literals.set(path, texts);
  new Visitor({
    Literal({ value }) {
      if (typeof value === "string") texts.add(value);
    },
  }).visit(parse(repo, path).program);
  return texts;
}

const routes = (repo: Repository) => repo.files.filter((path) => /^app\/api\/.*route\.ts$/.test(path));
const reached = new Map<string, string[]>();

function reachableCode(repo: Repository, path: string): string[] {
  const files =
    reached.get(path) ??
    [...reachableFiles(repo, [path])].filter((file) => isCode(file) && isFile(repo, file));
  reached.set(path, files);
  return files;
}

/** Declared errors whose name occurs in no file that the route reaches. */
function unreachableErrors(repo: Repository): string[] {
  return routes(repo).flatMap((route) => {
    const files = reachableCode(repo, route).filter((file) => file !== TABLE && file !== route);
    const thrown = findThrown(repo, route).map(({ name }) => name);
    return findDeclared(repo, route)
      .filter(
        (name) => !thrown.includes(name) && !files.some((file) => collectLiterals(repo, file).has(name)),
      )
      .map((name) => `${route}: declares ${name}, which no file that it reaches contains`);
  });
}

/** Thrown errors of a noun that no call reaching the file declares. */
function undeclaredErrors(repo: Repository): string[] {
  const calls = routes(repo).map((route) => ({
    files: new Set(reachableCode(repo, route)),
    names: findDeclared(repo, route),
  }));
  return repo.files
    .filter((path) => /^lib\/(?!platform\/)[^/]+\/.*\.ts$/.test(path))
    .flatMap((path) => findThrown(repo, path))
    .filter(({ name, path }) => {
      const reachingCalls = calls.filter(({ files }) => files.has(path));
      return (
        reachingCalls.length > 0 &&
        !UNDECLARED.includes(name) &&
        !reachingCalls.some(({ names }) => names.includes(name))
      );
    })
    .map(({ name, path, line }) => `${path}:${line}: no call that reaches this declares ${name}`);
}

describe("error table", () => {
  it("has the status of its code and a message in three languages for every entry", () =>
    expectNone("table", tableProblems(ERRORS, repository)));
  it("every error message has an entry", () => expectNone("messages", unknownMessages(ERRORS, repository)));

  it("is checked for wrong entries", () => {
    const repo = { ...repository, files: ["messages/en.json"], read: () => '{"errors":{"b":"B"}}' };
    const table = { a: { status: 400, code: "40901", message: "errors.b" } };
    expect(tableProblems(table, repo).join("\n")).toMatch(
      /has status 400(.|\n)*not errors\.b(.|\n)*en\.json lacks errors\.a(.|\n)*ja\.json lacks/,
    );
    expect(unknownMessages(table, repo)).toEqual([`messages: errors.b belongs to no error of ${TABLE}`]);
  });

  check("a call declares only errors that it can return", unreachableErrors);
  check("every error that a noun throws is declared by a call", undeclaredErrors);
});
