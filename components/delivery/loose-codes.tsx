import { useTranslations } from "next-intl";
import { Dated } from "@/components/ui/dated";
import { LooseStub } from "@/components/ui/ticket/ticket";
import { passState } from "@/lib/delivery/rules-ticket";
import type { OrderProduct } from "@/lib/orders/contract";
import { revealCost } from "@/lib/orders/rules";
import { formatDate } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { KeyCode } from "./key-code";
import { PassTime, passHoles } from "./owned-pass";

type LooseCodesProps = {
  line: OrderProduct;
  serverTime: string;
  locale: Locale;
  /** as in `KeyCode` */
  withdrawal: boolean;
};

/** The codes of an order's line below its ticket, each on its own stub with its own time and redemption deadline. */
export function LooseCodes({ line, serverTime, locale, withdrawal }: LooseCodesProps) {
  const t = useTranslations("delivery.code");
  const library = useTranslations("delivery.library");
  const { keys, duration_days } = line;
  return keys.map((key, index) => {
    const pass = { ...key, duration_days };
    const started = key.revealed_at !== null || key.activated_at !== null;
    return (
      <div key={key.library_id} className="flex flex-col gap-1.5">
        <LooseStub holes={passHoles(pass, serverTime)} state={passState(key, serverTime)}>
          <KeyCode
            libraryId={key.library_id}
            masked={key.masked_code}
            needsConsent={key.needs_consent}
            withdrawal={withdrawal}
            cost={revealCost(line, key)}
            startsDays={started ? null : duration_days}
            note={key.seen && !started ? t("in_email") : undefined}
          />
        </LooseStub>
        <p className="flex flex-wrap gap-x-3 text-13 text-quiet empty:hidden">
          {keys.length > 1 && <span>{t("number", { number: index + 1, count: keys.length })}</span>}
          {started && (
            <span>
              <PassTime pass={pass} serverTime={serverTime} />
            </span>
          )}
          {!started && key.redeem_by && (
            <span>
              <Dated>{library("redeem_by", { date: formatDate(key.redeem_by, locale) })}</Dated>
            </span>
          )}
        </p>
      </div>
    );
  });
}
