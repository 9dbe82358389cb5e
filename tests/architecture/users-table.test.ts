import { describe } from "vitest";
import { check, isCode, type Repository } from "./repository";

/** SQL and query-builder statements that write rows of `users`. */
const WRITES = /\b(?:insert\s+into|update|delete\s+from)\s+users\b|\.(?:insert|update|delete)\(users\)/i;

const writersOutsideAccounts = (repo: Repository) =>
  repo.files
    .filter((path) => path.startsWith("lib/") && !path.startsWith("lib/accounts/") && isCode(path))
    .filter((path) => WRITES.test(repo.read(path)))
    .map((path) => `${path}: only lib/accounts writes users`);

describe("users table", () => {
  check("is written by lib/accounts only", writersOutsideAccounts);
});
