import { isShopError } from "@/lib/platform/errors";

/** Runs an action for each id in order, and returns the ids that it refused. */
export async function collectRefused(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<string[]> {
  const refused: string[] = [];
  for (const id of new Set(ids))
    try {
      await act(id);
    } catch (error) {
      if (!isShopError(error)) throw error;
      refused.push(id);
    }
  return refused;
}
