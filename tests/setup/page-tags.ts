import { runRequest } from "@/lib/platform/request-scope";

/** Runs a read of a page and collects the tags that it notes in `tags`. */
export const withTags = <T>(tags: Set<string>, read: () => Promise<T>): Promise<T> =>
  runRequest({ tags }, read);
