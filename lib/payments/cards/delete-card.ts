import type { DeleteCardInput } from "@/lib/payments/cards/contract";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { callProvider } from "./call-provider";
import { findCustomer } from "./ensure-customer";
import { findCard } from "./list-cards";

/**
 * Deletes a saved card at the provider (auth/payment/delete, docs/product.md#75-orders-and-payment).
 * @throws ShopError payment_method_unknown (another's too), provider_unavailable
 */
export async function deleteCard({ userId }: UserViewer, { payment_id: methodId }: DeleteCardInput) {
  const customerId = await findCustomer(userId);
  if (!customerId) throw new ShopError("payment_method_unknown");
  await findCard(customerId, methodId);
  await callProvider(() =>
    paymentProvider()
      .detachCard(methodId)
      .catch((error: unknown) => {
        // Deleted by a parallel request.
        if (isProviderError(error, "refused") || isProviderError(error, "unknown_object"))
          throw new ShopError("payment_method_unknown", { cause: error });
        throw error;
      }),
  );
  return { payment_id: methodId };
}
