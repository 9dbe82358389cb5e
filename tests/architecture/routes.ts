import { findRoute } from "@/lib/platform/routing/routes";
import type { Tree } from "./tree";

/** A page of app/[locale]/[surface], and the desktop path that its folder names: `/product/[slug]`. */
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

/** A path with values in its parameters, so that the route table can be asked. */
const withValues = (path: string) => path.replace(/\[id\]/g, "1").replace(/\[\w+\]/g, "x");

/** Needs no sign-in. A page outside the route table counts, so that none is missed. */
export function isPublic({ path }: Page): boolean {
  const access = findRoute(withValues(path))?.access;
  return access === undefined || access === "public";
}

const SHELLS = ["layout", "template", "error", "not-found", "default"];

export const foldersAbove = (page: string) => {
  const folders = page.split("/").slice(0, -1);
  return folders.map((_, i) => folders.slice(0, i + 1).join("/"));
};

/** Every file of app/ that takes part in showing a page: its own, and those of the folders above. */
export const chainOf = (tree: Tree, page: string): string[] =>
  [page, ...foldersAbove(page).flatMap((folder) => SHELLS.map((shell) => `${folder}/${shell}.tsx`))].filter(
    (file) => tree.files.includes(file),
  );
