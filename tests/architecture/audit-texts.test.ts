import { describe } from "vitest";
import { detailName } from "@/lib/staff/audit/rules-detail";
import en from "@/messages/console/en.json";
import { check, type Repository, sources } from "./repository";

/** The code that appends to the audit log. */
const writers = (repo: Repository) =>
  sources(repo).filter((path) => path.startsWith("lib/") && /\baudit\(\s*[{"]?/.test(repo.read(path)));

/** Actions that are no longer written, and stand in the log of earlier versions. */
const FORMER_ACTIONS = ["key_batch.revoked"];

const hasText = (action: string) => action.replaceAll(".", "_") in en.console.audit.done;

const untoldActions = (repo: Repository) => [
  ...writers(repo).flatMap((path) =>
    [...repo.read(path).matchAll(/\baction: "([a-z_.]+)"/g)]
      .map(([, action = ""]) => action)
      .filter((action) => !hasText(action))
      .map((action) => `${path}: console.audit.done has no text for ${action}`),
  ),
  ...FORMER_ACTIONS.filter((action) => !hasText(action)),
];

/** The fields of `const detail = {…}` and `detail: {…}` on one level; names that are spread are not seen. */
function fieldsOf(text: string): string[] {
  const bodies = [...text.matchAll(/\bdetail(?: =|:) \{([^{}]*)\}/g)].map(([, body = ""]) => body);
  return bodies.flatMap((body) =>
    [...body.matchAll(/(?:^|,)\s*([a-zA-Z_]\w*)\s*(?=[:,]|$)/g)].map(([, name = ""]) => name),
  );
}

const unnamedFields = (repo: Repository) =>
  writers(repo).flatMap((path) =>
    fieldsOf(repo.read(path))
      .map(detailName)
      .filter((name) => name !== "before" && name !== "after" && !(name in en.console.audit.field))
      .map((name) => `${path}: console.audit.field has no name for ${name}`),
  );

describe("the audit log's screen", () => {
  check("has a text for every action", untoldActions);
  check("has a name for every field of a detail", unnamedFields);
});
