import { routeOf } from "@/lib/platform/routing/routes";
import type { Tree } from "./repository";

/** A page of app/[locale]/[surface] and its desktop path, e.g. `/product/[slug]`. */
export type Page = { file: string; path: string };

const PAGE = /^app\/\[locale\]\/\[surface\]\/(.*?)\/?page\.tsx$/;

export function pagesOf(tree: Tree): Page[] {
  return tree.files.flatMap((file) => {
    const folders = PAGE.exec(file)?.[1]
      ?.split("/")
      .filter((folder) => folder && !/^\(.*\)$/.test(folder));
    return folders ? [{ file, path: `/${folders.join("/")}` }] : [];
  });
}

/** Replaces parameters with values for a lookup in the route table. */
const withValues = (path: string) => path.replace(/\[id\]/g, "1").replace(/\[\w+\]/g, "x");

/** Whether a page needs no login. Pages outside the route table count as public, so that none is missed. */
export function isPublic({ path }: Page): boolean {
  const access = routeOf(withValues(path))?.access;
  return access === undefined || access === "public";
}

const SHELLS = ["layout", "template", "error", "not-found", "default"];

export const foldersAbove = (page: string) => {
  const folders = page.split("/").slice(0, -1);
  return folders.map((_, i) => folders.slice(0, i + 1).join("/"));
};

/** Every file of app/ that renders a page: its own and those of the parent folders. */
export const chainOf = (tree: Tree, page: string): string[] =>
  [page, ...foldersAbove(page).flatMap((folder) => SHELLS.map((shell) => `${folder}/${shell}.tsx`))].filter(
    (file) => tree.files.includes(file),
  );
