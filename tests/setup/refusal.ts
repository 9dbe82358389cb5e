import { isShopError } from "@/lib/platform/errors";

/** The name by which a call was refused; null: it was not. What is no refusal is told in its own words. */
export const refusal = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error: unknown) => (isShopError(error) ? error.error : String(error)),
  );
