import { isShopError } from "@/lib/platform/errors";

/** The name of the shop error that a call rejects with, the text of any other error, or null if the call resolves. */
export const getErrorName = (call: Promise<unknown>): Promise<string | null> =>
  call.then(
    () => null,
    (error: unknown) => (isShopError(error) ? error.error : String(error)),
  );
