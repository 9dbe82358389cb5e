import { describe } from "vitest";
import completeOnly from "../setup/complete-only.json" with { type: "json" };
import { check, lineNumber, type Repository } from "./repository";

/** A test or group that stands in no other group. A title with parameters may follow its table. */
const OUTERMOST =
  /^(?:(?:it|test|describe|test\.describe)(?:\.\w+)*\(|\](?: as const)?\)\()\s*["`](.+?)["`],?/gm;

/** A verb, a relative pronoun or a conjunction: what comes before it, the subject, is missing. */
const WITHOUT_SUBJECT =
  /^(?:is|are|was|has|have|does|do|can|cannot|may|must|that|which|who|whose|not|nor|and|or|but|also|of)\b|^[a-z]+s (?:an?|the|no|its|one|each|every|all|only|what)\b/;

const withoutSubject = (repo: Repository) =>
  repo.files
    .filter((path) => /\.(test|spec)\.tsx?$/.test(path))
    .flatMap((path) =>
      [...repo.read(path).matchAll(OUTERMOST)]
        .filter(([, title = ""]) => WITHOUT_SUBJECT.test(title))
        .map(({ 1: title, index }) => `${path}:${lineNumber(repo, path, index)}: “${title}” has no subject`),
    );

describe("test titles", () => {
  check("each test, or the group that it is in, names its subject", withoutSubject);

  check("each file that `npm test` leaves out exists", (repo) =>
    Object.entries(completeOnly)
      .flatMap(([folder, names]) => names.map((name) => `/${folder}/${name}.test.ts`))
      .filter((file) => !repo.files.some((path) => path.endsWith(file))),
  );
});
