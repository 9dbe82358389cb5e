import { describe } from "vitest";
import { listValues, readMessages } from "./message-catalog";
import { listDottedTexts, listMessageUses, type MessageUse } from "./message-usage";
import { check, type Repository } from "./repository";

const keysBelow = (namespace: string, keys: string[]) =>
  namespace === ""
    ? keys
    : keys.filter((key) => key.startsWith(`${namespace}.`)).map((key) => key.slice(namespace.length + 1));

/** The key without its first parts: what a translator with an unknown namespace may refer to. */
const keySuffixes = (key: string) => key.split(".").map((_, i, parts) => parts.slice(i).join("."));

function findsMessage({ namespaces, key, access }: MessageUse, keys: string[]): boolean {
  if (!key || access === "has") return true;
  const candidates = namespaces
    ? namespaces.flatMap((namespace) => keysBelow(namespace, keys))
    : keys.flatMap(keySuffixes);
  return candidates.some((fullKey) => key.test(fullKey));
}

function missingMessages(repo: Repository): string[] {
  const keys = Object.keys(readMessages(repo, "en"));
  return listMessageUses(repo)
    .filter((use) => !findsMessage(use, keys))
    .map(({ location, source, namespaces }) => {
      const namespace = namespaces?.filter(Boolean).join(" or ");
      return `${location}: no message ${source}${namespace ? ` in ${namespace}` : ""}`;
    });
}

/** Whether the key is literal and so matches one message of a namespace. */
const isLiteralKey = (key: RegExp) => !key.source.includes(".+");

/** Compiled messages show a missing value as "undefined" (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
function missingValues(repo: Repository): string[] {
  const messages = readMessages(repo, "en");
  return listMessageUses(repo).flatMap(({ location, namespaces, key, access, passedValues, source }) => {
    if (access !== "text" || namespaces?.length !== 1 || !key || !isLiteralKey(key) || !passedValues)
      return [];
    const matching = Object.entries(messages).filter(([fullKey]) =>
      namespaces.some((namespace) => keysBelow(namespace, [fullKey]).some((part) => key.test(part))),
    );
    const missing = matching
      .flatMap(([, message]) => listValues(message))
      .filter((name) => !passedValues.includes(name));
    return [...new Set(missing)].map((name) => `${location}: ${source} needs a value "${name}"`);
  });
}

/** Compiled messages have no raw text (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
const rawReads = (repo: Repository) =>
  listMessageUses(repo)
    .filter(({ access }) => access === "raw")
    .map(({ location, source }) => `${location}: ${source} cannot be read raw`);

function isUsedBy(use: MessageUse, fullKey: string): boolean {
  const options = use.namespaces
    ? use.namespaces.flatMap((namespace) => keysBelow(namespace, [fullKey]))
    : keySuffixes(fullKey);
  if (!use.key) return use.namespaces !== undefined && options.length > 0;
  return options.some((key) => use.key?.test(key));
}

function unusedMessages(repo: Repository): string[] {
  const uses = listMessageUses(repo);
  const texts = listDottedTexts(repo);
  return Object.keys(readMessages(repo, "en"))
    .filter((key) => !key.startsWith("errors.")) // errors.test.ts checks these
    .filter((key) => !uses.some((use) => isUsedBy(use, key)) && !texts.some((text) => text.test(key)))
    .map((key) => `messages: ${key} is not used`);
}

describe("message usage", () => {
  check("every message that the code uses exists", missingMessages);
  check("every message gets its values", missingValues);
  check("no message is read raw", rawReads);
  check("every message is used", unusedMessages);
});
