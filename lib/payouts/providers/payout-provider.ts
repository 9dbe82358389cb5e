import type { PayoutMethod } from "@/lib/payouts/rules";
import { manual } from "./manual";
import type { PayoutProvider } from "./provider";
import { stripeConnect } from "./stripe-connect";

const PROVIDERS: Readonly<Record<PayoutMethod, PayoutProvider>> = { manual, stripe_connect: stripeConnect };

export const payoutProvider = (method: PayoutMethod): PayoutProvider => PROVIDERS[method];
