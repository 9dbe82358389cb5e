import { describe } from "vitest";
import { listValues, readMessages } from "./message-catalog";
import { listDottedTexts, listMessageUses } from "./message-usage";
import { check, type Repository } from "./repository";

/** A message by its whole key, and by the part of it that a translator is given. */
type Candidate = { fullKey: string; part: string };

const startsBelow = (namespace: string, fullKey: string): Candidate[] =>
  namespace === ""
    ? [{ fullKey, part: fullKey }]
    : fullKey.startsWith(`${namespace}.`)
      ? [{ fullKey, part: fullKey.slice(namespace.length + 1) }]
      : [];

/** The key without its first parts: what a translator with an unknown namespace may refer to. */
const suffixes = (fullKey: string): Candidate[] =>
  fullKey.split(".").map((_, i, parts) => ({ fullKey, part: parts.slice(i).join(".") }));

const UNKNOWN = Symbol("an unknown namespace");
type Namespace = string | typeof UNKNOWN;

/** Lists what a translator of given namespaces may refer to; each namespace is looked up once. */
function candidateList(keys: string[]): (namespaces: string[] | undefined) => Candidate[] {
  const known = new Map<Namespace, Candidate[]>();
  const below = (namespace: Namespace): Candidate[] => {
    const found =
      known.get(namespace) ??
      keys.flatMap((key) => (namespace === UNKNOWN ? suffixes(key) : startsBelow(namespace, key)));
    known.set(namespace, found);
    return found;
  };
  return (namespaces) => {
    const list: Namespace[] = namespaces ?? [UNKNOWN];
    return list.flatMap(below);
  };
}

function missingMessages(repo: Repository): string[] {
  const candidates = candidateList(Object.keys(readMessages(repo, "en")));
  return listMessageUses(repo)
    .filter(
      ({ namespaces, key, access }) =>
        key && access !== "has" && !candidates(namespaces).some(({ part }) => key.test(part)),
    )
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
  const candidates = candidateList(Object.keys(messages));
  return listMessageUses(repo).flatMap(({ location, namespaces, key, access, passedValues, source }) => {
    if (access !== "text" || namespaces?.length !== 1 || !key || !isLiteralKey(key) || !passedValues)
      return [];
    const missing = candidates(namespaces)
      .filter(({ part }) => key.test(part))
      .flatMap(({ fullKey }) => listValues(messages[fullKey] ?? ""))
      .filter((name) => !passedValues.includes(name));
    return [...new Set(missing)].map((name) => `${location}: ${source} needs a value "${name}"`);
  });
}

/** Compiled messages have no raw text (docs/decisions/0022-prepare-browser-files-in-the-build.md). */
const rawReads = (repo: Repository) =>
  listMessageUses(repo)
    .filter(({ access }) => access === "raw")
    .map(({ location, source }) => `${location}: ${source} cannot be read raw`);

/** The messages that translators refer to. A translator of unknown namespace and key refers to none. */
function usedKeys(repo: Repository, keys: string[]): Set<string> {
  const candidates = candidateList(keys);
  const used = new Set<string>();
  for (const { namespaces, key } of listMessageUses(repo)) {
    if (!key && !namespaces) continue;
    for (const { fullKey, part } of candidates(namespaces)) if (!key || key.test(part)) used.add(fullKey);
  }
  return used;
}

function unusedMessages(repo: Repository): string[] {
  const keys = Object.keys(readMessages(repo, "en"));
  const used = usedKeys(repo, keys);
  const texts = listDottedTexts(repo);
  return keys
    .filter((key) => !key.startsWith("errors.")) // errors.test.ts checks these
    .filter((key) => !used.has(key) && !texts.some((text) => text.test(key)))
    .map((key) => `messages: ${key} is not used`);
}

describe("message usage", () => {
  check("every message that the code uses exists", missingMessages);
  check("every message gets its values", missingValues);
  check("no message is read raw", rawReads);
  check("every message is used", unusedMessages);
});
