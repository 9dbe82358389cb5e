import { maskCodes } from "@/lib/delivery/code-text/find-codes";

/** A customer's text without activation codes: what is stored, mailed and shown. */
export async function maskMessage(
  text: string,
  { userId, orderId }: { userId?: string; orderId?: string },
): Promise<string> {
  const [masked] = await maskCodes([{ text, scope: { orderId } }]);
  if (userId === undefined) return masked!;
  const [own] = await maskCodes([{ text: masked!, scope: { shopperId: userId, orderId: orderId ?? "" } }]);
  return own!;
}
