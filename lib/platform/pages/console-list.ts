import { redirect } from "next/navigation";
import type { z } from "zod";
import { isShopError } from "@/lib/platform/errors";
import { localizedPath } from "@/lib/platform/routing/paths";
import { type ConsolePage, type ConsoleProps, queryValues } from "./console";

/**
 * Reads the list of a console page with the filters of its address. Unknown parameters are ignored. Invalid values, or
 * a cursor of other filters, redirect to the whole list; an address without filters redirects to `standard`, the
 * reader's default view.
 */
export async function readConsoleList<Schema extends z.ZodType, List>(
  { searchParams }: Pick<ConsoleProps, "searchParams">,
  { locale }: Pick<ConsolePage, "locale">,
  path: string,
  schema: Schema,
  read: (input: z.output<Schema>) => Promise<List>,
  standard?: Readonly<Record<string, string>>,
): Promise<{ values: Record<string, string>; list: List }> {
  const values = await queryValues(searchParams);
  const address = localizedPath(path, { locale, surface: "desktop" });
  if (standard && Object.keys(values).length === 0) redirect(`${address}?${new URLSearchParams(standard)}`);
  const input = schema.safeParse(values);
  if (input.success) {
    const list = await read(input.data).catch((error: unknown) => {
      if (!isShopError(error, "cursor_invalid")) throw error;
    });
    if (list !== undefined) return { values, list: list as List };
  }
  // `view=all`, because `standard` may have the invalid filters.
  redirect(standard ? `${address}?view=all` : address);
}
