import { ShopError } from "@/lib/platform/errors";
import { isProviderError } from "@/lib/platform/stripe/errors";

/**
 * Calls the provider and translates its failures.
 * @throws ShopError provider_unavailable
 */
export async function callProvider<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isProviderError(error)) throw new ShopError("provider_unavailable", { cause: error });
    throw error;
  }
}

/** The same; null for an unknown object, for example a customer who was deleted in the provider's dashboard. */
export const callProviderOrNull = <T>(call: () => Promise<T>): Promise<T | null> =>
  callProvider(() =>
    call().catch((error: unknown) => {
      if (isProviderError(error, "unknown_object")) return null;
      throw error;
    }),
  );
