import { describe } from "vitest";
import { catalogueOf, valuesOf } from "./message-catalog";
import { dottedTexts, type Use, usesOf } from "./message-usage";
import { check, type Tree } from "./repository";

const below = (namespace: string, keys: string[]) =>
  namespace === ""
    ? keys
    : keys.filter((key) => key.startsWith(`${namespace}.`)).map((key) => key.slice(namespace.length + 1));

/** The key without its first parts: what a translator with an unknown namespace may refer to. */
const tails = (key: string) => key.split(".").map((_, i, parts) => parts.slice(i).join("."));

function finds({ namespaces, key, how }: Use, keys: string[]): boolean {
  if (!key || how === "has") return true;
  const candidates = namespaces ? namespaces.flatMap((space) => below(space, keys)) : keys.flatMap(tails);
  return candidates.some((full) => key.test(full));
}

function missing(tree: Tree): string[] {
  const keys = Object.keys(catalogueOf(tree, "en"));
  return usesOf(tree)
    .filter((use) => !finds(use, keys))
    .map(({ at, written, namespaces }) => {
      const space = namespaces?.filter(Boolean).join(" or ");
      return `${at}: no message ${written}${space ? ` in ${space}` : ""}`;
    });
}

/** Whether the key is literal and so matches one message of a namespace. */
const isOne = (key: RegExp) => !key.source.includes(".+");

/** Compiled messages show a missing value as "undefined" (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
function gaps(tree: Tree): string[] {
  const messages = catalogueOf(tree, "en");
  return usesOf(tree).flatMap(({ at, namespaces, key, how, given, written }) => {
    if (how !== "text" || namespaces?.length !== 1 || !key || !isOne(key) || !given) return [];
    const asked = Object.entries(messages).filter(([full]) =>
      namespaces.some((space) => below(space, [full]).some((part) => key.test(part))),
    );
    const left = asked.flatMap(([, message]) => valuesOf(message)).filter((name) => !given.includes(name));
    return [...new Set(left)].map((name) => `${at}: ${written} needs a value "${name}"`);
  });
}

/** Compiled messages have no raw text (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
const raws = (tree: Tree) =>
  usesOf(tree)
    .filter(({ how }) => how === "raw")
    .map(({ at, written }) => `${at}: ${written} cannot be read raw`);

function meant(use: Use, full: string): boolean {
  const options = use.namespaces ? use.namespaces.flatMap((space) => below(space, [full])) : tails(full);
  if (!use.key) return use.namespaces !== undefined && options.length > 0;
  return options.some((key) => use.key?.test(key));
}

function dead(tree: Tree): string[] {
  const uses = usesOf(tree);
  const texts = dottedTexts(tree);
  return Object.keys(catalogueOf(tree, "en"))
    .filter((key) => !key.startsWith("errors.")) // errors.test.ts checks these
    .filter((key) => !uses.some((use) => meant(use, key)) && !texts.some((text) => text.test(key)))
    .map((key) => `messages: ${key} is not used`);
}

describe("message usage", () => {
  check("every message that the code uses exists", missing);
  check("every message gets its values", gaps);
  check("no message is read raw", raws);
  check("every message is used", dead);
});
