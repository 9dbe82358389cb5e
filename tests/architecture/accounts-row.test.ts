import { describe } from "vitest";
import { check, isCode, type Tree } from "./tree";

/** SQL and the ORM's own words that write a row of `users`. */
const WRITES = /\b(?:insert\s+into|update|delete\s+from)\s+users\b|\.(?:insert|update|delete)\(users\)/i;

const writers = (tree: Tree) =>
  tree.files
    .filter((path) => path.startsWith("lib/") && !path.startsWith("lib/accounts/") && isCode(path))
    .filter((path) => WRITES.test(tree.read(path)))
    .map((path) => `${path}: writes users, which is lib/accounts' own`);

describe("the row of an account", () => {
  check("is written by lib/accounts only", writers);
});
