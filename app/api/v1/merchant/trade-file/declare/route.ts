import { merchant } from "@/lib/merchants/rules";
import { DeclareInput, TradeFile } from "@/lib/merchants/trade-file/contract";
import { declareTrade } from "@/lib/merchants/trade-file/declare";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Certify that only lawful goods are offered, or accept the terms for merchants",
    description:
      "The words of the screen are kept with their language and the time. The certification holds for a year.",
    access: merchant("trade.write"),
    body: DeclareInput,
    result: TradeFile,
    errors: ["terms_changed"],
  },
  ({ viewer, body, locale }) => declareTrade(viewer, body, locale),
);
