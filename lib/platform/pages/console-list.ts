import { redirect } from "next/navigation";
import type { z } from "zod";
import { isShopError } from "@/lib/platform/errors";
import { localizedPath } from "@/lib/platform/routing/paths";
import { type ConsolePage, type ConsoleProps, queryValues } from "./console";

/**
 * Reads the list of a console page with the filters of its address. Unknown values are ignored; with invalid ones, or a
 * cursor of other filters, the address leads to the whole list.
 */
export async function readConsoleList<Schema extends z.ZodType, List>(
  { searchParams }: Pick<ConsoleProps, "searchParams">,
  { locale }: Pick<ConsolePage, "locale">,
  path: string,
  schema: Schema,
  read: (input: z.output<Schema>) => Promise<List>,
): Promise<{ values: Record<string, string>; list: List }> {
  const values = await queryValues(searchParams);
  const input = schema.safeParse(values);
  if (input.success) {
    const list = await read(input.data).catch((error: unknown) => {
      if (!isShopError(error, "cursor_invalid")) throw error;
    });
    if (list !== undefined) return { values, list: list as List };
  }
  redirect(localizedPath(path, { locale, surface: "desktop" }));
}
