import { findRoute } from "@/lib/platform/routing/routes";
import { isFile, type Repository } from "./repository";

/**
 * A page of app/[locale]/[surface] and its desktop path, e.g. `/product/[slug]`. Folders that only the rewrites of
 * next.config.ts lead to, for a query, are no part of it.
 */
export type Page = { file: string; path: string };

const PAGE = /^app\/\[locale\]\/\[surface\]\/(.*?)\/?page\.tsx$/;

export function listPages(repo: Repository): Page[] {
  return repo.files.flatMap((file) => {
    const folders = PAGE.exec(file)?.[1]
      ?.split("/")
      .filter((folder) => folder && !/^\(.*\)$|^\[\[\.\.\.\w+\]\]$/.test(folder));
    return folders ? [{ file, path: `/${folders.join("/")}`.replace(/^\/blog\/search$/, "/blog") }] : [];
  });
}

/** Replaces parameters with values for a lookup in the route table. */
const withValues = (path: string) => path.replace(/\[id\]/g, "1").replace(/\[\w+\]/g, "x");

/** Whether a page needs no login. Pages outside the route table count as public, so that none is missed. */
export function isPublic({ path }: Page): boolean {
  const access = findRoute(withValues(path))?.access;
  return access === undefined || access === "public";
}

const WRAPPER_FILES = ["layout", "template", "error", "not-found", "default"];

export const parentFolders = (page: string) => {
  const folders = page.split("/").slice(0, -1);
  return folders.map((_, i) => folders.slice(0, i + 1).join("/"));
};

/** Every file of app/ that renders a page: its own and those of the parent folders. */
export const listPageFiles = (repo: Repository, page: string): string[] =>
  [
    page,
    ...parentFolders(page).flatMap((folder) => WRAPPER_FILES.map((name) => `${folder}/${name}.tsx`)),
  ].filter((file) => isFile(repo, file));
