import { describe } from "vitest";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { readMessages } from "./message-catalog";
import { check, type Repository } from "./repository";
import { listPages } from "./routes";

/** Helpers that give a page its own description. */
const HELPERS =
  /\b(pageTitle|orderPageTitle|publicTitle|publicMetadata|legalPage|blogMetadata|postMetadata|productSeo|generateListMetadata)\(/;
const NAMES_IT = /\bdescription\b/;

/** Pages that would have the description of the layout. The pages of the catch-all and of another page's file have none. */
const withoutDescription = (repo: Repository) =>
  listPages(repo)
    .map(({ file }) => ({ file, source: repo.read(file) }))
    .filter(({ source }) => !/export \{[^}]*\} from/.test(source) && !/export \* from/.test(source))
    .filter(({ source }) => !HELPERS.test(source) && !NAMES_IT.test(source))
    .map(({ file }) => `${file}: its metadata has no description`);

/** Descriptions that are used twice, or are that of the layout. */
const repeated = (repo: Repository) =>
  LOCALES.flatMap((locale) => {
    const texts = Object.entries(readMessages(repo, locale)).filter(
      ([key]) => key.startsWith("ui.descriptions.") || key.endsWith(".description"),
    );
    return texts
      .filter(([, text], i) => texts.findIndex(([, other]) => other === text) < i)
      .map(([key]) => `messages/${locale}.json: ${key} repeats another description`);
  });

describe("page descriptions", () => {
  check("every page has a description", withoutDescription);
  check("no two pages have the same description", repeated);
});
