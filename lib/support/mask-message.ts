import { maskCodes } from "@/lib/delivery/code-text/find-codes";

/** Masks the activation codes in a customer's text, which is stored, mailed and shown without them. */
export async function maskMessage(
  text: string,
  { userId, orderId }: { userId?: string; orderId?: string },
): Promise<string> {
  const [masked] = await maskCodes([{ text, scope: { orderId } }]);
  if (userId === undefined) return masked!;
  const [own] = await maskCodes([{ text: masked!, scope: { shopperId: userId, orderId: orderId ?? "" } }]);
  return own!;
}
